import { Component, type ReactNode } from "react"
import { Button } from "./Button.tsx"
import { Page } from "./Page.tsx"

/** Keeps a page that broke from taking the console with it. */
export class Boundary extends Component<{ readonly children: ReactNode }, { readonly broken: boolean }> {
  override state = { broken: false }
  static getDerivedStateFromError() {
    return { broken: true }
  }
  override render() {
    if (!this.state.broken) return this.props.children
    return (
      <Page title="This page broke" about="What was saved is safe. Reload the page to go on.">
        <div>
          <Button kind="primary" onClick={() => location.reload()}>
            Reload
          </Button>
        </div>
      </Page>
    )
  }
}
