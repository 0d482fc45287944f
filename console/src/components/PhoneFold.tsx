import { type ReactNode, useSyncExternalStore } from 'react';

const WIDE = matchMedia('(min-width: 860px)');
const follow = (onChange: () => void): (() => void) => {
  WIDE.addEventListener('change', onChange);
  return () => WIDE.removeEventListener('change', onChange);
};

/** Whether the navigation stands beside the page. */
export const useIsWide = (): boolean => useSyncExternalStore(follow, () => WIDE.matches);

/** What is seldom chosen. A narrow screen folds it into one line, so that what it is about is in sight. */
export const PhoneFold = ({ summary, children }: { summary: string; children: ReactNode }) =>
  useIsWide() ? (
    children
  ) : (
    <details className="phone-fold">
      <summary>{summary}</summary>
      {children}
    </details>
  );
