import * as z from 'zod';
import { roleNamePrefixes } from '../platform/trustedRoles.ts';
import { label } from '../values.ts';
import { BucketRegion, customerRole, roleTrust, s3Location } from './customerBucket.ts';
import { DeliveryError } from './deliveryTarget.ts';

/** Export destinations of one tenant. */
export const EXPORT_DESTINATIONS_MAXIMUM = 20;

const PREFIX = roleNamePrefixes.exportDelivery;

/** The members of a destination that the client sets. */
export const destinationMembers = {
  name: label(128),
  location: s3Location(0, 's3://bucket or s3://bucket/prefix').meta({
    description: 'The bucket, and the prefix of all objects that the service puts',
    example: 's3://example-finance/ai',
  }),
  region: BucketRegion,
  role_arn: customerRole(PREFIX).meta({
    description: `An IAM role of the account of the bucket that may put objects below the location. Its name begins with ${PREFIX}`,
    example: 'arn:aws:iam::111122223333:role/attribution-exports-finance',
  }),
};

/** The last check of a destination, as stored. Instants are epoch milliseconds. */
export const StoredCheck = z.object({
  state: z.enum(['unchecked', 'checking', 'working', 'failing']),
  error: DeliveryError.nullable(),
  at: z.int().nullable(),
});

/** A bucket of a tenant to which exports are delivered. */
export const ExportDestination = z
  .object({
    id: z.string(),
    ...destinationMembers,
    ...roleTrust,
    check: z
      .object({
        state: StoredCheck.shape.state.meta({
          description:
            'unchecked: not checked yet. checking: the service puts a test object within a minute. working: the object was put. failing: it was not, see error',
        }),
        error: DeliveryError.nullable(),
        checked_at: z.iso.datetime().nullable(),
      })
      .meta({ id: 'ExportDestinationCheck' }),
    created_at: z.iso.datetime(),
    created_by: z.string(),
  })
  .meta({ id: 'ExportDestination' });
export type ExportDestination = z.infer<typeof ExportDestination>;
