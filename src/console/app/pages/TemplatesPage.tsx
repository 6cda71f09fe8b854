import type { TemplateCard } from "#schema/console/Catalogue"
import { plural } from "../format.ts"
import { useLoaded } from "../load.ts"
import { firstDraft, option, question } from "../playground/draft.ts"
import { linkTo } from "../playground/link.ts"
import { navigate } from "../router.tsx"
import { Button } from "../ui/Button.tsx"
import { Problem } from "../ui/Notice.tsx"
import { Page, Waiting } from "../ui/Page.tsx"

const kinds = { choice: "choice", yes_no: "yes / no", score: "score" } as const

const tryOut = async ({ template, example }: TemplateCard) => {
  const { href } = new URL(await linkTo({ ...firstDraft(), asking: "template", template, state: example }))
  navigate(href.slice(location.origin.length))
}

const adapt = async (card: TemplateCard) => {
  const { template, type, question: instructions, options, example } = card
  const own = question(template, {
    type: type === "yes_no" ? "noul" : type,
    instructions,
    options: type === "yes_no" ? [] : options.map(({ name, description }) => option(name, description ?? ""))
  })
  const { href } = new URL(await linkTo({ ...firstDraft(), state: example, questions: [own] }))
  navigate(href.slice(location.origin.length))
}

const Card = ({ card }: { readonly card: TemplateCard }) => {
  const { template, name, description, type, options, example } = card
  return (
    <li>
      <header>
        <h2>{name}</h2>
        <code>{template}</code>
        <span className="hint">{kinds[type]}</span>
      </header>
      <p>{description}</p>
      <details className="more">
        <summary>{plural(options.length, type === "score" ? "level" : "option")}</summary>
        <dl className={options.every((one) => one.description === null) ? "option-names" : "option-lines"}>
          {options.map((one) => (
            <div key={one.name}>
              <dt>{one.name}</dt>
              {one.description === null ? null : <dd>{one.description}</dd>}
            </div>
          ))}
        </dl>
      </details>
      <blockquote>{example}</blockquote>
      <div className="row">
        <Button onClick={() => tryOut(card)} aria-label={`Try it: ${name}`}>
          Try it
        </Button>
        {template === "language" ? null : (
          <Button kind="quiet" onClick={() => adapt(card)} aria-label={`Make it your own: ${name}`}>
            Make it your own
          </Button>
        )}
      </div>
    </li>
  )
}

/** The ready-made decisions with their options, to try in the playground or to adapt there. */
const TemplatesPage = () => {
  const { data, error } = useLoaded(({ catalogue }) => catalogue.listTemplates())
  return (
    <Page title="Templates" about="Ready-made decisions: name one in a request instead of writing a question.">
      <Problem error={error} />
      {data === undefined ? (
        error === undefined ? (
          <Waiting lines={9} />
        ) : null
      ) : (
        <ul className="template-list">
          {data.templates.map((card) => (
            <Card key={card.template} card={card} />
          ))}
        </ul>
      )}
    </Page>
  )
}

export default TemplatesPage
