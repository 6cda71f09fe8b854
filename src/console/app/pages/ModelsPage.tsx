import type { ModelCard } from "#schema/console/Catalogue"
import { calendarDay, count, languageName, plural } from "../format.ts"
import { useLoaded } from "../load.ts"
import { Problem } from "../ui/Notice.tsx"
import { Page, Waiting } from "../ui/Page.tsx"
import { ModelFigures } from "./ModelFigures.tsx"

const Facts = ({ facts, release }: { readonly facts: NonNullable<ModelCard["facts"]>; readonly release: string }) => (
  <dl className="facts">
    <dt>Checkpoint</dt>
    <dd>
      <code>{facts.checkpoint}</code>
      {release === "" ? null : `, ${calendarDay(release)}`}
    </dd>
    {facts.languages.length === 0 ? null : (
      <>
        <dt>{plural(facts.languages.length, "language")}</dt>
        <dd>{facts.languages.map(languageName).join(", ")}</dd>
      </>
    )}
    <dt>Size</dt>
    <dd>{count(Math.round(facts.bytes / 1_000_000))} MB on disk, runs on the CPU</dd>
    <dt>Reads</dt>
    <dd>texts of any length, {count(facts.window)} tokens at a time</dd>
    {facts.licence === "" ? null : (
      <>
        <dt>Licence</dt>
        <dd>{facts.licence}</dd>
      </>
    )}
    {facts.sources.length === 0 ? null : (
      <>
        <dt>Made from</dt>
        <dd>
          <ul>
            {facts.sources.map((source) => (
              <li key={source}>{source}</li>
            ))}
          </ul>
        </dd>
      </>
    )}
  </dl>
)

/** The models that the account can name, with what each is made of and how well it does where that is known. */
const ModelsPage = () => {
  const { data, error } = useLoaded(({ catalogue }) => catalogue.listModels())
  return (
    <Page title="Models" about="Who answers. Name one in a request, or let the service choose by the text's language.">
      <Problem error={error} />
      {data === undefined ? (
        error === undefined ? (
          <Waiting lines={9} />
        ) : null
      ) : (
        <ul className="model-list">
          {data.models.map(({ name, description, facts, release_date, custom, private: own }) => (
            <li key={name}>
              <header>
                <h2>
                  <code>{name}</code>
                </h2>
                {custom ? <span className="hint">fine-tuned{own ? ", yours alone" : ""}</span> : null}
              </header>
              <p>{description}</p>
              {facts === null ? null : (
                <>
                  <Facts facts={facts} release={release_date} />
                  {facts.figures === null ? null : <ModelFigures model={name} figures={facts.figures} />}
                </>
              )}
            </li>
          ))}
        </ul>
      )}
    </Page>
  )
}

export default ModelsPage
