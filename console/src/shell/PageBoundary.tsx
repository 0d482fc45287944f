import { Component, type ReactNode } from 'react';
import { Page } from '../components/Page.tsx';
import { Failure } from '../components/reading/Failure.tsx';

/**
 * Keeps the frame and the navigation when a page fails, or when its script cannot be loaded: without a connection, or after
 * a new version was deployed. A script that failed is not asked for again, so a retry loads the document again.
 */
export class PageBoundary extends Component<{ readonly children: ReactNode }, { readonly error?: Error }> {
  override state: { readonly error?: Error } = {};

  static getDerivedStateFromError(error: unknown): { readonly error: Error } {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    return (
      <Page title="The page cannot be shown">
        <Failure error={error} retry={() => location.reload()} />
      </Page>
    );
  }
}
