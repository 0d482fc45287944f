import * as z from 'zod';

/** The dependencies that are checked, by what they do. Names of resources are not public. */
export const readinessChecks = [
  'tenants',
  'credentials',
  'grants',
  'ledger',
  'ingestion',
  'files',
  'exports',
  'signing',
] as const;
export type ReadinessCheck = (typeof readinessChecks)[number];

export const ReadinessChecks = z.partialRecord(z.enum(readinessChecks), z.enum(['ok', 'failed'])).meta({
  id: 'ReadinessChecks',
  description: 'By dependency. Later versions may add dependencies. failed: no response within two seconds',
});
