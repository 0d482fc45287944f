/** The roles that have a scope, for a person whose role lacks it. */
export const whoMay = {
  'admin:config': 'Administrators',
  'finance:config': 'Administrators and FinOps',
  'export:create': 'Administrators and FinOps',
  'read:attribution': 'Administrators, FinOps and engineers',
  'webhooks:manage': 'Administrators and engineers',
} as const;

/** A scope without which a page has nothing to show. */
export type PageScope = keyof typeof whoMay;
