import { Link } from "../router.tsx"
import { Page } from "../ui/Page.tsx"

/** Shown at an address of the console that no page has. */
export const MissingPage = () => (
  <Page title="Nothing here" about="There is no page at this address.">
    <p>
      <Link to="/console/playground">Go to the playground</Link>
    </p>
  </Page>
)
