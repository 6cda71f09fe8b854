import { useRef, useState } from "react"
import { Button, IconButton } from "../ui/Button.tsx"
import { type DraftOption, option } from "./draft.ts"
import { moved } from "./moved.ts"

/** Options of a choice or levels of a score: named, described, and put in order by dragging or with the arrows. */
export const OptionsEditor = ({
  options,
  noun,
  onChange
}: {
  readonly options: ReadonlyArray<DraftOption>
  readonly noun: "option" | "level"
  readonly onChange: (options: ReadonlyArray<DraftOption>) => void
}) => {
  const [dragged, setDragged] = useState<number>()
  const list = useRef<HTMLDivElement>(null)
  const change = (place: number, part: Partial<DraftOption>) =>
    onChange(options.map((one, i) => (i === place ? { ...one, ...part } : one)))
  const add = () => {
    onChange([...options, option("")])
    requestAnimationFrame(() => list.current?.querySelector<HTMLInputElement>("li:last-child input")?.focus())
  }
  const remove = (place: number) => {
    onChange(options.filter((_, i) => i !== place))
    // The focus goes on to the next one, or to what adds another.
    requestAnimationFrame(() =>
      list.current?.querySelectorAll<HTMLButtonElement>("li > button:last-child, .row > :first-child")[place]?.focus()
    )
  }
  return (
    <div className="options" ref={list}>
      <ol>
        {options.map(({ key, name, description }, place) => (
          <li
            key={key}
            className={dragged === place ? "dragged" : ""}
            onDragOver={(event) => {
              if (dragged === undefined) return
              event.preventDefault()
              if (dragged !== place) {
                onChange(moved(options, dragged, place))
                setDragged(place)
              }
            }}
            onDrop={(event) => event.preventDefault()}
          >
            <span
              className="grip"
              draggable
              aria-hidden="true"
              onDragStart={(event) => {
                event.dataTransfer.effectAllowed = "move"
                event.dataTransfer.setData("text/plain", name)
                setDragged(place)
              }}
              onDragEnd={() => setDragged(undefined)}
            >
              ⠿
            </span>
            <input
              className="option-name"
              dir="auto"
              value={name}
              placeholder={noun}
              aria-label={`Name of ${noun} ${place + 1}`}
              maxLength={2000}
              onChange={(event) => change(place, { name: event.target.value })}
            />
            <input
              dir="auto"
              value={description}
              placeholder="what it means (optional)"
              aria-label={`Description of ${noun} ${place + 1}`}
              maxLength={2000}
              onChange={(event) => change(place, { description: event.target.value })}
            />
            <IconButton
              label={`Move ${noun} ${place + 1} up`}
              disabled={place === 0}
              onClick={() => onChange(moved(options, place, place - 1))}
            >
              ↑
            </IconButton>
            <IconButton
              label={`Move ${noun} ${place + 1} down`}
              disabled={place === options.length - 1}
              onClick={() => onChange(moved(options, place, place + 1))}
            >
              ↓
            </IconButton>
            <IconButton label={`Remove ${noun} ${place + 1}`} onClick={() => remove(place)}>
              ×
            </IconButton>
          </li>
        ))}
      </ol>
      <div className="row">
        <Button kind="quiet" className="small" onClick={add} disabled={options.length >= 255}>
          Add {noun}
        </Button>
        <Button
          kind="quiet"
          className="small"
          onClick={() => onChange([...options].reverse())}
          disabled={options.length < 2}
        >
          Reverse the order
        </Button>
      </div>
    </div>
  )
}
