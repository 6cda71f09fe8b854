import { Context } from "effect"

/** Marks procedures whose repetition changes nothing, so that a client may ask again when the connection broke. */
export class Repeatable extends Context.Reference<Repeatable>()("schema/Repeatable", { defaultValue: () => false }) {}
