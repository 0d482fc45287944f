import * as z from 'zod';
import {
  destinationMembers,
  type ExportDestination,
  StoredCheck,
} from '../../../../schemas/chargeback/exportDestinations.ts';
import { externalIdOf } from '../../../platform/customerBuckets/externalId.ts';
import { ProblemError } from '../../../platform/shared/problem.ts';
import { isoOrNull } from '../../../platform/shared/time/toIso.ts';

/** A destination as stored. Its place and role never change, so nobody can divert the exports that others have sent there. */
export const StoredDestination = z.object({
  id: z.string(),
  ...destinationMembers,
  check: StoredCheck,
  created_at: z.iso.datetime(),
  created_by: z.string(),
});
export type StoredDestination = z.infer<typeof StoredDestination>;

/** The destination, if it exists. Throws NOT_FOUND. */
export const requireDestination = (found: StoredDestination | null): StoredDestination => {
  if (found !== null) return found;
  throw new ProblemError('NOT_FOUND', 'There is no export destination with this id.');
};

/** The API representation. `roleArn` is the role that puts the files. */
export const toDestination = (
  { check: { at, ...check }, ...destination }: StoredDestination,
  roleArn: string,
): ExportDestination => ({
  ...destination,
  external_id: externalIdOf(destination.id),
  trusted_role_arn: roleArn,
  check: { ...check, checked_at: isoOrNull(at) },
});
