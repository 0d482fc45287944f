import type { DataExport } from '../../../../../schemas/chargeback/dataExport.ts';
import type { CustomerRole } from '../../../../platform/customerBuckets/assumeRole.aws.ts';
import { objectsArn } from '../../../../platform/customerBuckets/objectsArn.ts';
import { exportLocation } from './dataExport.ts';

/** The role that reads the export of a source, for sessions that read one export. */
export const exportRole = (sourceId: string, dataExport: DataExport): CustomerRole => {
  const place = exportLocation(dataExport);
  const { role_arn: arn } = dataExport;
  const [, partition] = arn.split(':');
  return {
    arn,
    resourceId: sourceId,
    statements: [
      { Action: 's3:GetObject', Resource: objectsArn(arn, place) },
      // Without it, S3 answers 403 instead of 404 for a month that was not delivered yet.
      { Action: 's3:ListBucket', Resource: `arn:${partition}:s3:::${place.bucket}` },
      // An export in a bucket that a key of the customer encrypts.
      { Action: 'kms:Decrypt', Resource: '*' },
    ],
  };
};
