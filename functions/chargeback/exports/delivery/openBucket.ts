import type {
  AssumeRole,
  RoleFailure,
  RoleSession,
} from '../../../platform/customerBuckets/assumeRole.aws.ts';
import type { CustomerBucket, SendObjectRequest } from '../../../platform/customerBuckets/bucketRequests.ts';
import type { StoredDestination } from '../destinations/destination.ts';
import { type DeliveryFailure, failDelivery } from './bucketAnswer.ts';
import { placeOf } from './deliveredKeys.ts';
import { accountOf, deliveryRole } from './deliveryRole.ts';

export interface BucketAccess {
  readonly assumeRole: AssumeRole;
  readonly requestsOf: (bucket: CustomerBucket, session: RoleSession) => SendObjectRequest;
}

const errors = {
  refused: 'role_refused',
  rate_limited: 'rate_limited',
  unavailable: 'unavailable',
} as const satisfies Record<RoleFailure['error'], DeliveryFailure['error']>;

/** A session of the role of a destination: it sends requests about objects of the bucket of its account. */
export const openBucket = async (
  { assumeRole, requestsOf }: BucketAccess,
  destination: Pick<StoredDestination, 'id' | 'role_arn' | 'location' | 'region'>,
): Promise<SendObjectRequest | DeliveryFailure> => {
  const session = await assumeRole(deliveryRole(destination));
  if (session.kind === 'failed') return failDelivery(errors[session.error]);
  const { bucket } = placeOf(destination.location);
  const send = requestsOf({ bucket, region: destination.region }, session);
  const owner = { 'x-amz-expected-bucket-owner': accountOf(destination) };
  return (request) => send({ ...request, headers: { ...request.headers, ...owner } });
};
