import type { ComponentType } from 'react';
import type { IconName } from '../components/Icon.tsx';
import { Overview } from '../pages/overview/Overview.tsx';

interface PageEntry {
  readonly path: string;
  readonly name: string;
  readonly icon: IconName;
  readonly page: ComponentType;
  /** The scope without which the page has nothing to show. */
  readonly scope?: string;
}

interface PageGroup {
  readonly title?: string;
  readonly pages: readonly PageEntry[];
}

/** Every page of the navigation. Pages are loaded when they are opened, except the first one. */
export const pageGroups: readonly PageGroup[] = [
  {
    pages: [{ path: '/', name: 'Overview', icon: 'overview', page: Overview }],
  },
];
