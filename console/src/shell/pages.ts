import { type ComponentType, lazy } from 'react';
import { ConnectionError } from '../../../sdk/typescript/src/errors.ts';
import type { IconName } from '../components/Icon.tsx';
import { Overview } from '../pages/overview/Overview.tsx';
import { UnreadCount } from './UnreadCount.tsx';
import type { PageScope } from './whoMay.ts';

export interface PageEntry {
  readonly path: string;
  readonly name: string;
  readonly icon: IconName;
  readonly page: ComponentType;
  /** Shown beside the name in the navigation. */
  readonly mark?: ComponentType;
  /** Pages below this one that the navigation does not list. */
  readonly below?: readonly { readonly path: string; readonly page: ComponentType }[];
  /** The scope without which the page has nothing to show. */
  readonly scope?: PageScope;
}

interface PageGroup {
  readonly title?: string;
  readonly pages: readonly PageEntry[];
}

/** A page that is loaded when it is opened. */
const later = (load: () => Promise<ComponentType>): ComponentType =>
  lazy(async () => {
    try {
      return { default: await load() };
    } catch (cause) {
      throw new ConnectionError(1, cause);
    }
  });

/** Every page of the navigation. */
export const pageGroups: readonly PageGroup[] = [
  {
    pages: [
      { path: '/', name: 'Overview', icon: 'overview', page: Overview },
      {
        path: '/owners',
        name: 'Owners',
        icon: 'identity',
        page: later(async () => (await import('../pages/owners/Owners.tsx')).Owners),
      },
      {
        path: '/explore',
        name: 'Explore',
        icon: 'explore',
        page: later(async () => (await import('../pages/explore/Explore.tsx')).Explore),
      },
      {
        path: '/savings',
        name: 'Savings',
        icon: 'savings',
        page: later(async () => (await import('../pages/savings/Savings.tsx')).Savings),
      },
      {
        path: '/records',
        name: 'Records',
        icon: 'records',
        scope: 'read:attribution',
        page: later(async () => (await import('../pages/records/Records.tsx')).Records),
        below: [
          {
            path: '/records/:id',
            page: later(async () => (await import('../pages/record/RecordPage.tsx')).RecordPage),
          },
        ],
      },
    ],
  },
  {
    title: 'Watch',
    pages: [
      {
        path: '/notifications',
        name: 'Notifications',
        icon: 'notifications',
        mark: UnreadCount,
        page: later(async () => (await import('../pages/notifications/Notifications.tsx')).Notifications),
      },
      {
        path: '/budgets',
        name: 'Budgets',
        icon: 'budgets',
        page: later(async () => (await import('../pages/budgets/Budgets.tsx')).Budgets),
      },
      {
        path: '/anomalies',
        name: 'Anomalies',
        icon: 'anomalies',
        page: later(async () => (await import('../pages/anomalies/Anomalies.tsx')).Anomalies),
      },
      {
        path: '/coverage',
        name: 'Coverage',
        icon: 'coverage',
        scope: 'read:attribution',
        page: later(async () => (await import('../pages/coverage/Coverage.tsx')).Coverage),
      },
    ],
  },
  {
    title: 'Trust',
    pages: [
      {
        path: '/quality',
        name: 'Attribution quality',
        icon: 'quality',
        page: later(async () => (await import('../pages/quality/Quality.tsx')).Quality),
      },
      {
        path: '/reconciliation',
        name: 'Reconciliation',
        icon: 'reconciliation',
        page: later(
          async () => (await import('../pages/reconciliation/Reconciliation.tsx')).ReconciliationPage,
        ),
      },
      {
        path: '/identity',
        name: 'Identity mappings',
        icon: 'identity',
        scope: 'read:attribution',
        page: later(async () => (await import('../pages/identity/Mappings.tsx')).Mappings),
      },
    ],
  },
  {
    title: 'Deliver',
    pages: [
      {
        path: '/exports',
        name: 'Exports',
        icon: 'exports',
        scope: 'export:create',
        page: later(async () => (await import('../pages/exports/Exports.tsx')).Exports),
      },
      {
        path: '/webhooks',
        name: 'Webhooks',
        icon: 'webhooks',
        scope: 'webhooks:manage',
        page: later(async () => (await import('../pages/webhooks/Webhooks.tsx')).Webhooks),
        below: [
          {
            path: '/webhooks/:id',
            page: later(async () => (await import('../pages/webhooks/WebhookPage.tsx')).WebhookPage),
          },
        ],
      },
    ],
  },
  {
    title: 'Administer',
    pages: [
      {
        path: '/keys',
        name: 'Keys and clients',
        icon: 'keys',
        scope: 'admin:config',
        page: later(async () => (await import('../pages/keys/Keys.tsx')).Keys),
      },
      {
        path: '/users',
        name: 'Users and roles',
        icon: 'users',
        scope: 'admin:config',
        page: later(async () => (await import('../pages/users/Users.tsx')).Users),
      },
      {
        path: '/prices',
        name: 'Contract prices',
        icon: 'prices',
        scope: 'finance:config',
        page: later(async () => (await import('../pages/prices/Prices.tsx')).Prices),
      },
      {
        path: '/settings',
        name: 'Settings',
        icon: 'settings',
        page: later(async () => (await import('../pages/settings/Settings.tsx')).Settings),
      },
      {
        path: '/audit',
        name: 'Audit log',
        icon: 'audit',
        scope: 'admin:config',
        page: later(async () => (await import('../pages/audit/Audit.tsx')).Audit),
      },
    ],
  },
];
