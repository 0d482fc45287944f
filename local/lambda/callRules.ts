import { channel } from 'node:diagnostics_channel';
import type { AwsRequest } from '../limits/awsRequest.ts';
import { type OnConsumed, tableLimits } from '../limits/enforceTableLimits.ts';
import { throughputOf } from '../limits/throughput.ts';
import { authorizeCalls, type UsedPermission } from '../permissions/authorizeCalls.ts';
import type { CallRules } from './protocol.ts';

const isRequest = (message: unknown): message is AwsRequest =>
  typeof message === 'object' && message !== null && 'operation' in message && 'input' in message;

/** Applies permissions and limits to all AWS calls of this thread. The AWS clients publish each call before they send it. */
export const enforceCallRules = (
  { role, limits }: CallRules,
  report: (used: UsedPermission) => void,
  onConsumed?: OnConsumed,
): void => {
  const authorize = role === undefined ? undefined : authorizeCalls(role, report);
  const limit = limits === undefined ? undefined : tableLimits(limits, throughputOf(limits), onConsumed);
  if (authorize === undefined && limit === undefined) return;
  channel('aws.request').subscribe((message) => {
    if (!isRequest(message)) return;
    authorize?.(message);
    if (message.refusal === undefined) limit?.(message);
  });
};
