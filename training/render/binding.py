"""Sentences made by rule of which only the order of the words tells who did what to whom, which of two things is how, and which field holds what.
Both sides of a pair are made of the same words and asked the same questions."""
import json
from random import Random

import numpy as np

from .question import Option, Question, choice, noul

SURE = .97
NAMES = ("Ivo Lena Tom Priya Omar Greta Felix Nadia Ruben Hana Marek Alice Jonas Mei Paula Diego Sara Emil Aisha Boris Clara Yusuf Ella Nils Rosa Viktor Ines Karl Lucy Mateo Olga Pavel "
         "Rita Sven Tara Ugo Wanda Ben Carla Anton Fatima Leo Mona Igor Zoe Hugo Dana Piet Noor Elif").split()
PAIRS = [("the tenant", "the landlord"), ("the driver", "the cyclist"), ("the customer", "the agent"), ("the teacher", "the student"), ("the nurse", "the patient"), ("the buyer", "the seller"),
         ("the manager", "the intern"), ("the plaintiff", "the defendant"), ("the host", "the guest"), ("the bank", "the supplier"), ("the mother", "the son"), ("the coach", "the goalkeeper"),
         ("the red team", "the blue team"), ("the dog", "the cat"), ("the van", "the bus"), ("Brightloom", "Kestrel Ltd"), ("my brother", "my boss"), ("our office", "the head office")]
DEEDS = [tuple(line.split("/")) for line in (            # base/past/participle
    "call/called/called pay/paid/paid thank/thanked/thanked invite/invited/invited help/helped/helped blame/blamed/blamed sue/sued/sued beat/beat/beaten follow/followed/followed warn/warned/warned "
    "visit/visited/visited push/pushed/pushed overtake/overtook/overtaken rescue/rescued/rescued insult/insulted/insulted threaten/threatened/threatened trust/trusted/trusted contact/contacted/contacted "
    "hit/hit/hit interview/interviewed/interviewed photograph/photographed/photographed report/reported/reported recommend/recommended/recommended answer/answered/answered leave/left/left "
    "cheat/cheated/cheated praise/praised/praised criticise/criticised/criticised replace/replaced/replaced train/trained/trained ignore/ignored/ignored forgive/forgave/forgiven").split()]
GIFTS = [("sent", "send", "got", "from"), ("sold", "sell", "bought", "from"), ("lent", "lend", "borrowed", "from"), ("gave", "give", "received", "from"), ("handed", "hand", "took", "from")]
THINGS = "the keys|the bike|the contract|the invoice|a laptop|the photos|200 euros|the parcel|a ticket|the report|the car|the old piano".split("|")
MORE = [("older", "younger"), ("taller", "shorter"), ("faster", "slower"), ("cheaper", "more expensive"), ("bigger", "smaller"), ("heavier", "lighter"), ("louder", "quieter"), ("better", "worse"), ("newer", "older"), ("busier", "calmer")]
ASPECTS = "the battery|the screen|the food|the service|the room|the breakfast|the acting|the plot|the price|the delivery|the app|the staff|the sound|the view|the pool|the camera".split("|")
GOOD, BAD = "great excellent wonderful perfect lovely superb".split(), "terrible awful poor disappointing horrible dreadful".split()
PLACES = "Paris Oslo Rome Berlin Madrid Lima Cairo Delhi Tokyo Boston Dublin Vienna Prague Lagos".split()
FIELDS = "order refund payment shipment invoice ticket booking account contract build backup email phone".split()
STATES = "pending done failed cancelled open closed late approved rejected active blocked".split()
Made = tuple[str, list[tuple[str, bool]], list[tuple[str, list[str], str]]]     # a text, statements and whether they hold, choices with their right option
AROUND = ["", "", "", "Hi, ", "Just so you know: ", "Yesterday ", "According to the report, ", "As far as I know, "]


def either(rng: Random, wording: str, options: list[str], right: str) -> Question:
    """A choice between names of which one is right."""
    return choice(wording, [Option(name) for name in options], np.array([float(name == right) for name in options]), rng)


def bystander(a: str, b: str, rng: Random) -> str:
    """A name that is neither of the two."""
    return rng.choice([name for name in NAMES if name not in (a, b)])


def deeds(a: str, b: str, rng: Random) -> Made:
    """Somebody, a, does something to another, b."""
    base, past, part = rng.choice(DEEDS)
    other = bystander(a, b, rng)
    text = rng.choice([f"{a} {past} {b}.", f"{b} was {part} by {a}.", f"it was {a} who {past} {b}.", f"the one who {past} {b} was {a}.", f"{other} told me that {a} {past} {b}.", f"{b} got {part} by {a}, {other} saw it."])
    return text, [(f"Did {a} {base} {b}?", True), (f"Did {b} {base} {a}?", False), (f"Was {b} {part} by {a}?", True), (f"{a} was {part} by {b}.", False), (f"{a} is the one who {past} {b}.", True)], [
        (f"Who {past} the other?", [a, b, other], a), (f"Who was {part}?", [a, b, other], b)]


def gifts(a: str, b: str, rng: Random) -> Made:
    """Something goes from a to b."""
    past, base, got, _ = rng.choice(GIFTS)
    thing, other = rng.choice(THINGS), bystander(a, b, rng)
    text = rng.choice([f"{a} {past} {b} {thing}.", f"{b} {got} {thing} from {a}.", f"{a} {past} {thing} to {b}.", f"{thing} went from {a} to {b}."])
    return text, [(f"Did {a} {base} {thing} to {b}?", True), (f"Did {b} {base} {thing} to {a}?", False), (f"{b} {got} {thing}.", True), (f"{a} {got} {thing} from {b}.", False), (f"Is {b} the one with {thing} now?", True)], [
        (f"Who has {thing} now?", [a, b, other], b), (f"Who had {thing} before?", [a, b, other], a)]


def more(a: str, b: str, rng: Random) -> Made:
    """a is more of something than b."""
    up, down = rng.choice(MORE)
    text = rng.choice([f"{a} is {up} than {b}.", f"{b} is {down} than {a}.", f"of the two, {a} is {up}; I mean compared with {b}.", f"compared with {a}, {b} is {down}."])
    return text, [(f"Is {a} {up} than {b}?", True), (f"Is {b} {up} than {a}?", False), (f"{b} is the {down} one.", True), (f"{a} is the {down} one.", False)], [(f"Which is {up}?", [a, b], a), (f"Which is {down}?", [a, b], b)]


def moves(a: str, b: str, rng: Random) -> Made:
    """Somebody goes from one place, a, to another, b."""
    who = rng.choice(NAMES)
    text = rng.choice([f"{who} moved from {a} to {b}.", f"{who} left {a} for {b}.", f"{who} went to {b}, coming from {a}.", f"{who} lives in {b} now, before that it was {a}."])
    return text, [(f"Is {who} in {b} now?", True), (f"Is {who} in {a} now?", False), (f"{who} came from {a}.", True), (f"{who} came from {b}.", False)], [(f"Where did {who} go?", [a, b], b), (f"Where was {who} before?", [a, b], a)]


def aspects(a: str, b: str, rng: Random) -> Made:
    """Something, a, is praised and something else, b, is criticised."""
    good, bad = rng.choice(GOOD), rng.choice(BAD)
    text = rng.choice([f"{a} is {good}, but {b} is {bad}.", f"{b} is {bad}, {a} on the other hand is {good}.", f"{good} is what I call {a}, and {bad} is what I call {b}.", f"while {b} was {bad}, {a} was {good}."])
    return text, [(f"Is {a} good?", True), (f"Is {b} good?", False), (f"{b} is criticised.", True), (f"{a} is criticised.", False), (f"The writer likes {a}.", True)], [
        (f"What is said about {a}?", ["positive", "negative", "not mentioned"], "positive"), ("What does the writer complain about?", [a, b], b)]


def fields(a: str, b: str, rng: Random) -> Made:
    """A state in JSON: a has one status and b another."""
    x, y = rng.sample(STATES, 2)
    rest = {name: rng.choice(STATES) for name in rng.sample([f for f in FIELDS if f not in (a, b)], rng.randint(0, 2))}
    items = list({a: x, b: y, **rest}.items())
    rng.shuffle(items)
    state = rng.choice([{k: {"status": v} for k, v in items}, {f"{k}_status": v for k, v in items}, {k: v for k, v in items}, {"id": rng.randint(10, 9999), "status": {k: v for k, v in items}}])
    return json.dumps(state), [(f"Is the {a} {x}?", True), (f"Is the {a} {y}?", False), (f"The {b} is {y}.", True), (f"The {b} is {x}.", False)], [
        (f"What is the status of the {a}?", [x, y], x), (f"Which one is {y}?", [a, b], b)]


KINDS = ((deeds, None), (deeds, None), (gifts, None), (more, None), (moves, PLACES), (aspects, ASPECTS), (fields, FIELDS))


def pair(rng: Random) -> tuple[int, int, str, str]:
    """What both sides of a pair are made of: which kind, a seed, and the two that change places."""
    kind = rng.randrange(len(KINDS))
    of = KINDS[kind][1]
    a, b = rng.sample(of, 2) if of else rng.choice([tuple(rng.sample(NAMES, 2)), rng.choice(PAIRS)])
    return kind, rng.getrandbits(32), a, b


def bound(made: tuple[int, int, str, str], swapped: bool, most: int = 4) -> tuple[str, list[Question]]:
    """A side of a pair as a text and its questions; the other side has the same with their answers turned."""
    kind, seed, a, b = made
    make = KINDS[kind][0]
    text, asked, chosen = make(b, a, Random(seed)) if swapped else make(a, b, Random(seed))
    _, same, other = make(a, b, Random(seed))
    rng = Random(seed + 1)
    text = rng.choice(AROUND) + text if make is not fields else text
    answers = {q: yes for q, yes in asked}
    questions = [noul(q[0].upper() + q[1:], SURE if answers.get(q, not yes) else 1 - SURE) for q, yes in rng.sample(same, min(most - 1, len(same)))]
    right = {q: right for q, _, right in chosen}
    wording, options, answer = rng.choice(other)
    turned = right.get(wording) or next(name for name in options if name != answer)
    questions.append(either(rng, wording, rng.sample(options, len(options)), turned if swapped else answer))
    return text[0].upper() + text[1:], questions
