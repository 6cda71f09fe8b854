import type { FamilyFigures, Figures, LanguageFigures } from "#schema/Figures"
import { calendarDay, count, languageName, percent } from "../format.ts"
import { ScrollFrame } from "../ui/ScrollFrame.tsx"

const types = { choice: "Choice", noul: "Yes / no", score: "Score" } as const
const texts = { en: "English", other: "other languages" } as const

interface Row {
  readonly name: string
  /** What tells apart rows of one name. */
  readonly hint?: string
  readonly figures: LanguageFigures | FamilyFigures
}

const Share = ({ of }: { readonly of: number | undefined }) => <>{of === undefined ? "–" : percent(of)}</>

const Cells = ({ figures }: { readonly figures: Row["figures"] }) => {
  const { questions, accuracy, majority, bag_of_words, ece } = figures
  const simple = [majority, bag_of_words].filter((share) => share !== undefined)
  return (
    <>
      <td className="number">{count(questions)}</td>
      <td className="number">
        <strong>
          <Share of={accuracy} />
        </strong>
        {"score_error" in figures && figures.score_error !== undefined ? (
          <small>{figures.score_error.toFixed(2)} levels off</small>
        ) : null}
      </td>
      <td className="number muted">
        <Share of={simple.length === 0 ? undefined : Math.max(...simple)} />
      </td>
      <td className="number">
        <Share of={ece} />
      </td>
    </>
  )
}

const Table = ({
  caption,
  of,
  rows
}: {
  readonly caption: string
  readonly of: string
  readonly rows: ReadonlyArray<Row>
}) => (
  <ScrollFrame label={caption}>
    <table className="measured">
      <caption className="hidden">{caption}</caption>
      <thead>
        <tr>
          <th scope="col">{of}</th>
          {["Asked", "Right", "Simple methods", "Calibration error"].map((head) => (
            <th key={head} scope="col" className="number">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, hint, figures }) => (
          <tr key={`${name} ${hint}`}>
            <th scope="row">
              {name} {hint === undefined ? null : <span className="hint">{hint}</span>}
            </th>
            <Cells figures={figures} />
          </tr>
        ))}
      </tbody>
    </table>
  </ScrollFrame>
)

/** How well a model answers: by type of question, then by subject and language. */
export const ModelFigures = ({ model, figures }: { readonly model: string; readonly figures: Figures }) => {
  const { families, languages, measured } = figures
  const all = families.filter(({ family }) => family === "all")
  const subjects = families.filter(({ family }) => family !== "all")
  return (
    <section aria-label={`Figures of ${model}`}>
      <h3>How well it answers</h3>
      <p className="hint">Nearly all of these texts were kept out of its training; its card names the exceptions.</p>
      <Table
        caption={`${model}, by type of question`}
        of="Questions"
        rows={all.map((one) => ({ name: types[one.type], hint: texts[one.language], figures: one }))}
      />
      {subjects.length === 0 ? null : (
        <details className="more">
          <summary>By subject ({new Set(subjects.map(({ family }) => family)).size})</summary>
          <Table
            caption={`${model}, by subject`}
            of="Subject"
            rows={subjects.map((one) => ({
              name: one.family,
              hint: `${types[one.type].toLowerCase()}, ${texts[one.language]}`,
              figures: one
            }))}
          />
        </details>
      )}
      {languages.length < 2 ? null : (
        <details className="more">
          <summary>By language ({languages.length})</summary>
          <Table
            caption={`${model}, by language`}
            of="Texts in"
            rows={languages.map((one) => ({ name: languageName(one.language), figures: one }))}
          />
        </details>
      )}
      <p className="hint">
        Measured {calendarDay(measured)}. Right: the most probable answer is the right one. Simple methods: always the
        commonest answer, or comparing words, whichever does better. Calibration error: how far its probabilities are
        from how often it is right.
      </p>
    </section>
  )
}
