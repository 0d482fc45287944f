import type { DeliveryTarget } from '../../../../schemas/chargeback/deliveryTarget.ts';
import type { Month } from '../../../platform/shared/time/month.ts';

/** A place in a bucket. */
export interface BucketPlace {
  readonly bucket: string;
  /** The prefix of all keys: empty, or ending with a slash. */
  readonly folder: string;
}

/** The place of `s3://bucket/prefix`. */
export const placeOf = (location: string): BucketPlace => {
  const [bucket = '', ...path] = location.slice('s3://'.length).split('/');
  return { bucket, folder: path.length === 0 ? '' : `${path.join('/')}/` };
};

/** The object that a check puts. */
export const checkKey = ({ folder }: BucketPlace): string => `${folder}attribution-check.json`;

/**
 * The keys of a delivery, in the layout of AWS Data Exports
 * (https://docs.aws.amazon.com/cur/latest/userguide/dataexports-export-delivery.html). Each version has a folder of its own, so
 * a reader of one version never meets a file of another. `current` has the manifest of the newest one.
 */
export const deliveredKeys = (
  { folder }: BucketPlace,
  { name }: Pick<DeliveryTarget, 'name'>,
  month: Month,
  version: number,
) => {
  const period = `BILLING_PERIOD=${month}`;
  const metadata = `${folder}${name}/metadata/${period}`;
  return {
    file: (file: string): string => `${folder}${name}/data/${period}/version=${version}/${file}`,
    metadata: `${metadata}/version=${version}/focus-metadata.json`,
    manifest: `${metadata}/version=${version}/${name}-Manifest.json`,
    current: `${metadata}/${name}-Manifest.json`,
  };
};
