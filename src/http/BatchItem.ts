import { standardError } from "#schema/ErrorBodies"
import { InsufficientCredits, type InvalidRequest, type Overloaded, type Unavailable } from "#schema/Errors"

/** An item of a batch that failed, in the words that a request of its own would get. */
export const itemFailure = (error: InvalidRequest | Overloaded | Unavailable) => {
  switch (error._tag) {
    case "InvalidRequest":
      return { status: 422, body: { detail: error.detail } }
    case "Overloaded":
      return { status: 529, body: standardError("overloaded_error", error.message) }
    case "Unavailable":
      return { status: 503, body: standardError("api_error", error.message) }
  }
}

/** An item that the balance did not cover. */
export const unpaid = { status: 402, body: standardError("insufficient_credits", InsufficientCredits.of().message) }
