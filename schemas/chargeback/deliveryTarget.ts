import * as z from 'zod';
import { label, matching } from '../values.ts';

/** Days for which a delivery is tried, from the end of its export. The files of the export exist longer. */
export const DELIVERY_DAYS_MAXIMUM = 5;

/** Where finished exports go, and under which name. The later of two exports with one name and month supersedes the other. */
export const DeliveryTarget = z
  .strictObject({
    destination_id: z
      .string()
      .regex(/^dst_[a-z2-7]{8}[0-7][0-9A-HJKMNP-TV-Z]{25}$/, 'must be the id of an export destination')
      .meta({ description: 'The export destination' }),
    name: matching(
      label(64),
      /^[A-Za-z0-9][A-Za-z0-9_-]*$/,
      'must have letters, digits, _ and - only, and begin with a letter or digit',
    ).meta({
      description: 'The folder of the report below the location of the destination. One name for one report',
      example: 'chargeback',
    }),
  })
  .meta({
    id: 'ExportDeliveryTarget',
    description:
      'Puts the files into a bucket of yours too. The export covers one UTC month, or its part up to now',
    example: { destination_id: 'dst_abcdefgh01ARZ3NDEKTSV4RRFFQ69G5FAV', name: 'chargeback' },
  });
export type DeliveryTarget = z.infer<typeof DeliveryTarget>;

/** Why files could not be put into a bucket. No text of AWS is stored or shown. */
export const deliveryErrors = [
  'role_refused',
  'access_denied',
  'no_such_bucket',
  'wrong_region',
  'rate_limited',
  'unavailable',
  'refused',
  'destination_deleted',
] as const;
export const DeliveryError = z.enum(deliveryErrors).meta({
  id: 'ExportDeliveryError',
  description:
    'role_refused: the role does not exist, or its trust policy does not admit trusted_role_arn with external_id. access_denied: the policy of the role, of the bucket or of its key does not allow to put objects below the location, or the bucket belongs to another account than the role. no_such_bucket: there is no bucket of this name. wrong_region: the bucket is in another region. rate_limited: AWS asked to wait. unavailable: AWS did not answer, or the delivery was interrupted. refused: S3 refused the files for another reason, for example a setting of the bucket. destination_deleted: the destination was deleted. Open enumeration: later versions may add values',
});
export type DeliveryError = z.infer<typeof DeliveryError>;

/** A delivery that another one follows. */
export const EarlierDelivery = z
  .object({ version: z.int(), export_id: z.string() })
  .meta({ id: 'EarlierExportDelivery' });
