import { AskingRpcs } from "./Asking.ts"
import { InternalToken } from "./InternalToken.ts"
import { ListingRpcs } from "./Listing.ts"
import { ManagingRpcs } from "./Managing.ts"

/** Everything that internal services may call, guarded by a service token. */
export const InternalRpcs = AskingRpcs.merge(ListingRpcs).merge(ManagingRpcs).middleware(InternalToken)
