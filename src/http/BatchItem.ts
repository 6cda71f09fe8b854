import { Schema } from "effect"
import { InsufficientCreditsBody, OverloadedBody, UnavailableBody } from "#schema/ErrorBodies"
import { InsufficientCredits, type InvalidRequest, type Overloaded, type Unavailable } from "#schema/Errors"
import { InvalidRequestBody } from "#schema/Validation"

/** An item of a batch that failed, in the words that a request of its own would get. */
export const itemFailure = (error: InvalidRequest | InsufficientCredits | Overloaded | Unavailable) => {
  switch (error._tag) {
    case "InvalidRequest":
      return { status: 422, body: Schema.encodeSync(InvalidRequestBody)(error) }
    case "InsufficientCredits":
      return { status: 402, body: Schema.encodeSync(InsufficientCreditsBody)(error) }
    case "Overloaded":
      return { status: 529, body: Schema.encodeSync(OverloadedBody)(error) }
    case "Unavailable":
      return { status: 503, body: Schema.encodeSync(UnavailableBody)(error) }
  }
}

/** An item that the balance did not cover. */
export const unpaid = itemFailure(InsufficientCredits.of())
