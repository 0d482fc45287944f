import type { CustomerRole } from '../../../platform/customerBuckets/assumeRole.aws.ts';
import { objectsArn } from '../../../platform/customerBuckets/objectsArn.ts';
import type { StoredDestination } from '../destinations/destination.ts';
import { placeOf } from './deliveredKeys.ts';

/** The role of a destination, for sessions that can only put objects below its location. They can read and list nothing. */
export const deliveryRole = ({
  id,
  role_arn,
  location,
}: Pick<StoredDestination, 'id' | 'role_arn' | 'location'>): CustomerRole => ({
  arn: role_arn,
  resourceId: id,
  statements: [
    {
      Action: ['s3:PutObject', 's3:AbortMultipartUpload'],
      Resource: objectsArn(role_arn, placeOf(location)),
    },
    // A bucket that a key of the customer encrypts. S3 also decrypts with it, to join the parts of a file.
    { Action: ['kms:GenerateDataKey', 'kms:Decrypt'], Resource: '*' },
  ],
});

/** The account of a role. A bucket of another account is refused: a deleted bucket can be created again by anybody. */
export const accountOf = ({ role_arn }: Pick<StoredDestination, 'role_arn'>): string =>
  role_arn.split(':')[4] ?? '';
