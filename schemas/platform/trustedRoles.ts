/**
 * The workers whose roles the trust policies of customers name, and the first part of the names of the customers' roles that
 * each may assume. No other function may assume a role.
 */
export const roleNamePrefixes = {
  billImports: 'attribution-bills-',
  exportDelivery: 'attribution-exports-',
} as const;
export type TrustedWorker = keyof typeof roleNamePrefixes;
export const trustedWorkers = Object.keys(roleNamePrefixes) as TrustedWorker[];
