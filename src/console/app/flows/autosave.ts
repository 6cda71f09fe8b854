import { Effect } from "effect"
import { useCallback, useEffect, useRef, useState } from "react"
import type { CheckedDraft } from "#schema/console/Flows"
import type { FlowDraft } from "#schema/FlowDraft"
import type { FlowFault } from "#schema/FlowFault"
import { asFailure, call, Failure } from "../api.ts"
import { holdLeaving } from "../router.tsx"
import { contentOf, isOwn, sameContent } from "./content.ts"
import type { Content } from "./graph.ts"

const pause = 600

/** How far the last change has come. */
export type Saving =
  | { readonly state: "saved" | "waiting" | "saving" }
  | { readonly state: "failed"; readonly error: Failure }
  | { readonly state: "conflict"; readonly revision: number }

/**
 * Saves the draft a moment after each change, one save at a time, each based on the revision before it.
 * Where somebody else has saved in between, nothing is overwritten until the person decides; a save that went through
 * although its answer was lost is no somebody else.
 */
export const useAutosave = (first: CheckedDraft, content: Content) => {
  const id = first.draft.id
  const [checked, setChecked] = useState<CheckedDraft>(first)
  const [saving, setSaving] = useState<Saving>({ state: "saved" })
  const revision = useRef(first.draft.revision)
  // Where an id stands twice, what is drawn has mended that, and nobody else can.
  const mended = first.faults.some(({ code }) => code === "duplicate_id")
  const saved = useRef<Content | undefined>(mended ? undefined : content)
  const latest = useRef(content)
  // What the service holds as far as this window knows: what it last told, and all that was sent since.
  const own = useRef<ReadonlyArray<Content>>([contentOf(first.draft)])
  const running = useRef<Promise<boolean>>(undefined)
  const following = useRef<Promise<void>>(undefined)
  const blocked = useRef(false)
  latest.current = content

  /** Sends what is drawn until the service has all of it; gives up at a conflict or a failure, and says so. */
  const persist = useCallback(async (): Promise<boolean> => {
    while (latest.current !== saved.current && !blocked.current) {
      await following.current
      const sent = latest.current
      setSaving({ state: "saving" })
      own.current = [...own.current, sent]
      const answer = await call(({ flowDrafts }) =>
        flowDrafts.saveFlow({ path: { id }, payload: { revision: revision.current, content: sent } }).pipe(
          Effect.map((now) => ({ now, refused: false })),
          Effect.catchTag("FlowConflict", () =>
            Effect.map(flowDrafts.getFlow({ path: { id } }), (now) => ({ now, refused: true }))
          )
        )
      ).catch(asFailure)
      if (answer instanceof Failure) {
        // It may have been saved all the same: then also what was saved before has to be sent again.
        saved.current = undefined
        setSaving({ state: "failed", error: answer })
        return false
      }
      const { now, refused } = answer
      if (refused && !isOwn(now.draft, own.current)) {
        blocked.current = true
        setSaving({ state: "conflict", revision: now.draft.revision })
        return false
      }
      const held = contentOf(now.draft)
      revision.current = now.draft.revision
      own.current = [held]
      saved.current = refused && !sameContent(held, sent) ? undefined : sent
      setChecked(now)
    }
    setSaving((now) => (now.state === "saving" ? { state: "saved" } : now))
    return !blocked.current
  }, [id])

  /** Saves what is drawn at once; false where the service does not have all of it then. */
  const save = useCallback((): Promise<boolean> => {
    running.current ??= persist().finally(() => {
      running.current = undefined
    })
    return running.current
  }, [persist])

  useEffect(() => {
    if (blocked.current) return
    if (content === saved.current) {
      // What was not saved yet has been taken back.
      setSaving((now) => (now.state === "saving" ? now : { state: "saved" }))
      return
    }
    setSaving((now) => (now.state === "saving" ? now : { state: "waiting" }))
    const timer = setTimeout(save, pause)
    return () => clearTimeout(timer)
  }, [content, save])

  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => {
      if (latest.current !== saved.current) event.preventDefault()
    }
    addEventListener("beforeunload", warn)
    return () => {
      removeEventListener("beforeunload", warn)
      void save()
    }
  }, [save])

  useEffect(() => {
    const settle = async () =>
      (await save()) || confirm("The last changes to this flow are not saved. Leave all the same?")
    return holdLeaving(() => latest.current === saved.current || settle())
  }, [save])

  /** Takes over what the service holds now, and what is drawn of it. */
  const adopt = useCallback((answer: CheckedDraft, shown: Content) => {
    revision.current = answer.draft.revision
    own.current = [contentOf(answer.draft)]
    saved.current = shown
    latest.current = shown
    blocked.current = false
    setChecked(answer)
    setSaving({ state: "saved" })
  }, [])

  /** Takes over a draft of which something else than what is drawn has changed, so that it can be changed on. */
  const advance = useCallback((draft: FlowDraft) => {
    revision.current = draft.revision
    own.current = [contentOf(draft)]
    setChecked(({ faults }) => ({ draft, faults }))
  }, [])

  /** The same of one that is on its way: what is drawn meanwhile is saved after it. */
  const follow = useCallback(
    (changing: Promise<FlowDraft>) => {
      const followed = changing.then(advance)
      following.current = followed.catch(() => undefined)
      return followed
    },
    [advance]
  )

  /**
   * Does something else with the draft than saving it, based on its revision: once more where only this window has changed it since, and where
   * somebody else has, the person decides as after a save.
   */
  const based = useCallback(
    <A>(ask: (revision: number) => Promise<A>): Promise<A> =>
      ask(revision.current).catch(async (cause: unknown) => {
        if (!(cause instanceof Failure) || cause.conflict === undefined) throw cause
        await running.current
        const now = await call(({ flowDrafts }) => flowDrafts.getFlow({ path: { id } }))
        if (!isOwn(now.draft, own.current)) {
          blocked.current = true
          setSaving({ state: "conflict", revision: now.draft.revision })
          throw cause
        }
        revision.current = now.draft.revision
        setChecked(now)
        return ask(now.draft.revision)
      }),
    [id]
  )

  /** Saves what is shown over what somebody else has saved. */
  const overwrite = useCallback(
    async (theirs: number) => {
      revision.current = theirs
      // The service holds something else now, even where all that is drawn had been sent before.
      own.current = []
      saved.current = undefined
      blocked.current = false
      await save()
    },
    [save]
  )

  const faults: ReadonlyArray<FlowFault> = checked.faults
  return {
    draft: checked.draft,
    faults,
    saving,
    save,
    adopt,
    advance,
    follow,
    based,
    overwrite,
    /** What was drawn when it was last saved. */
    saved: () => saved.current
  }
}

/** What `useAutosave` gives the editor: the draft as it is saved, its faults, and ways to save and to change it. */
export type Autosave = ReturnType<typeof useAutosave>
