"""The training material of a data folder, split into what is trained on and what is held out."""
import glob
import hashlib
import json
import lzma
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from holdout import RESERVED, Holdout, normal

RAW = 4_000_000     # characters of raw English; a twentieth of it of every other language
OWN_DEV = 8         # per cent of the small written sets that are kept whole for development
FACTS_DEV = 16      # per cent of the facts that are told both ways, likewise


def read(path: str | Path, training: bool = True) -> list[dict]:
    """Rows of a file of JSON lines, packed with xz or not. training: without them, lines that name the split `train` among their first 90 characters
    are passed over. json.JSONDecodeError where a line is no JSON."""
    opened = lzma.open(path, "rt", encoding="utf8") if str(path).endswith(".xz") else open(path, encoding="utf8")
    with opened as lines:
        return [json.loads(line) for line in lines if line.strip() and (training or '"split":"train"' not in line[:90] and '"split": "train"' not in line[:90])]


@dataclass
class Corpus:
    """Rows by split. small: classification sets written for this service, each {set, kind, questions, labels, rows};
    contrasts: facts told both ways, each as two lists of states as in `written`, such in which it holds and such in which it does not; moderated: texts of which every moderation category is known, each {lang, text, categories, unsure}; parallel: the same text by language;
    asked: the same question by language, each {type, in: language -> [wording] or [wording, options or levels]}."""
    sets: list[dict]
    train: dict[str, list[dict]] = field(default_factory=dict)
    dev: dict[str, list[dict]] = field(default_factory=dict)
    held: dict[str, list[dict]] = field(default_factory=dict)
    written: dict[str, list[dict]] = field(default_factory=lambda: {"train": [], "dev": []})
    templates: dict[str, list[dict]] = field(default_factory=lambda: {"train": [], "dev": []})
    small: dict[str, list[dict]] = field(default_factory=lambda: {"train": [], "dev": []})
    contrasts: dict[str, list[tuple[list[dict], list[dict]]]] = field(default_factory=lambda: {"train": [], "dev": []})
    moderated: list[dict] = field(default_factory=list)
    documents: list[str] = field(default_factory=list)
    parallel: list[dict[str, str]] = field(default_factory=list)
    asked: list[dict] = field(default_factory=list)
    dropped: int = 0


def as_text(state: object) -> str:
    """A state as the model reads it: a string as it is, anything else as JSON."""
    return state if isinstance(state, str) else json.dumps(state, ensure_ascii=False)


def own_dev(name: str, share: int = OWN_DEV) -> bool:
    """Whether what has this name is kept for development; of all names about `share` per cent are, always the same ones."""
    return int(hashlib.sha1(name.encode()).hexdigest(), 16) % 100 < share


def load(data: Path, own: Path, held_out: list[str], languages: list[str] | None = None, skip: tuple[str, ...] = (), training: bool = True,
         emphasis: dict[str, int] | None = None) -> Corpus:
    """data: the data folder; own: folder of small written sets, of written states with questions (one in many languages is given once), of questions in many languages, and of written texts with their template labels or moderation categories; held_out: ids of sets that are never trained on;
    languages: keep these alone; skip: ids of sets to leave out altogether;
    training: whether training rows are wanted, which take long to read; emphasis: files of `own` whose names hold this count so many times
    as training rows and as texts in many languages. Reserved rows are dropped wherever they turn up, and training
    rows that another set, or another of the small sets, measures with."""
    corpus = Corpus(json.load(open(data / "sets.json", encoding="utf8"))["sets"])
    guard, mine = Holdout(data), (lambda lang: languages is None or lang in languages)
    for file in sorted(glob.glob(str(data / "labelled" / "*.jsonl.xz"))):
        for row in read(file, training):
            name = row["set"]
            if name in skip or name in RESERVED or not mine(row["lang"]): continue
            if guard.holds(row["text"], row["lang"]) or guard.holds(str(row.get("text_b") or ""), row["lang"]):
                corpus.dropped += 1
            elif row["split"] == "zeroshot-dev": corpus.held.setdefault(f"{name}-zeroshot", []).append(row)
            elif name in held_out: corpus.held.setdefault(name, []).append(row)
            else: (corpus.train if row["split"] == "train" else corpus.dev).setdefault(name, []).append(row)
    for kind, into in (("written", corpus.written), ("templates", corpus.templates)):
        for file in sorted(glob.glob(str(data / kind / "*.jsonl.xz"))):
            for row in read(file, training):
                text = row.get("text") or as_text(row["state"])
                if not mine(row["lang"]): continue
                if guard.touches(text, row["lang"]): corpus.dropped += 1
                else: into[row["split"]].append(row)
    for file in sorted(glob.glob(str(own / "*.jsonl"))):
        times = next((n for part, n in (emphasis or {}).items() if part in Path(file).name), 1)
        lines = readable(file)
        if languages is None: corpus.asked += [row for row in lines if "in" in row]
        texts = [{lang: as_text(s) for lang, s in row["states"].items()} for row in lines if "states" in row] if languages is None else []
        corpus.parallel += [by for by in texts if not any(guard.touches(s, lang) for lang, s in by.items())] * times
        for fact in (row for row in lines if "holds" in row and mine(row["lang"])):
            if any(guard.touches(text, fact["lang"]) for text in fact["holds"] + fact["fails"]): corpus.dropped += 1
            else: corpus.contrasts["dev" if own_dev(fact["yes"][0], FACTS_DEV) else "train"].append(contrasts(fact))
        for task in apart(lines):
            if not mine(task["lang"]): continue
            if "rows" not in task:
                text, into = (task["state"], corpus.written["train"]) if "state" in task else (task["text"], corpus.moderated if "categories" in task else corpus.templates["train"])
                if guard.touches(as_text(text), task["lang"]): corpus.dropped += 1
                else: into += [task] * times
                continue
            kept = [r for r in task["rows"] if r[1] in task["labels"] or task["kind"] == "noul"]
            rows = [r for r in kept if not guard.touches(as_text(r[0]), task["lang"])]
            corpus.dropped += len(kept) - len(rows)
            if rows and own_dev(task["set"]): corpus.small["dev"].append({**task, "rows": rows})
            elif rows: corpus.small["train"].append({**task, "rows": rows * times})
    if training:
        corpus.documents = documents(data, languages, guard)
        measured = {key(row) for rows in (*corpus.dev.values(), *corpus.held.values()) for row in rows}
        for name, rows in corpus.train.items(): corpus.train[name] = [row for row in rows if key(row) not in measured]
        shown = {normal(as_text(text)) for task in corpus.small["dev"] for text, *_ in task["rows"]} | tasks()
        for task in corpus.small["train"]: task["rows"] = [row for row in task["rows"] if normal(as_text(row[0])) not in shown]
    return corpus


def tasks() -> set[str]:
    """Texts of the committed tasks that `bench/quality` measures with."""
    files = (Path(__file__).parents[1] / "test" / "quality" / "tasks").glob("*.json")
    return {normal(row["text"]) for file in files for row in json.loads(file.read_text(encoding="utf8"))["rows"]}


def key(row: dict) -> str:
    """The same in every set that holds the text (or the pair of texts); of a row without a text, its options."""
    texts = [row["text"], row.get("text_b") or ""]
    return " ".join(normal(str(text)) for text in (texts if any(texts) else sorted(row.get("options") or [])))


def documents(data: Path, languages: list[str] | None, guard: Holdout) -> list[str]:
    """Raw paragraphs of the languages, the first of each file: the other text in long states."""
    out = []
    for file in sorted(glob.glob(str(data / "raw" / "*.txt.xz"))):
        lang = Path(file).name.removesuffix(".txt.xz").split("-", 1)[-1] if "multi-" in file else "en"
        if languages is not None and lang not in languages: continue
        with lzma.open(file, "rt", encoding="utf8") as opened: head = opened.read(RAW if lang == "en" else RAW // 20)
        out += [d for d in head.split("\n\n")[:-1] if len(d) > 200 and not guard.touches(d, lang)]
    return out


def apart(rows: list[dict]) -> Iterator[dict]:
    """A text in many languages stands in a file with its questions once: a row for each language, none where nothing is asked of it,
    and none of a question in many languages, which is about no text, or of a fact that is told both ways."""
    for row in rows:
        if "in" in row or "holds" in row: continue
        if "states" in row and "questions" not in row: continue
        if "states" in row: yield from ({"lang": lang, "family": row["family"], "state": state, "questions": row["questions"]} for lang, state in row["states"].items())
        else: yield row


def contrasts(fact: dict) -> tuple[list[dict], list[dict]]:
    """{lang, holds, fails, yes, no, choices?}: texts in which a fact holds and such in which it does not, in nearly the same words, questions to which the
    answer is yes where it holds, or where it does not, and choices, each {q, options, holds, fails} with the option that is right on either side
    -> states of either side, with all of these questions in the same order."""
    def side(name: str) -> list[dict]:
        asked = [{"type": "noul", "q": q, "a": (key == "yes") == (name == "holds")} for key in ("yes", "no") for q in fact[key]]
        asked += [{"type": "choice", "q": c["q"], "options": c["options"], "a": c[name]} for c in fact.get("choices", [])]
        return [{"lang": fact["lang"], "family": "contrast", "state": text, "questions": asked} for text in fact[name]]

    return side("holds"), side("fails")


def readable(file: str) -> list[dict]:
    """Lines that are whole JSON; others are passed over."""
    out = []
    with open(file, encoding="utf8") as lines:
        for line in lines:
            try: out.append(json.loads(line))
            except json.JSONDecodeError: continue
    return out
