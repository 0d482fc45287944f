import { commitOrConflict } from '../../../../platform/shared/aws/commitOrConflict.ts';
import { commit, type Write } from '../../../../platform/shared/aws/document.store.ts';
import type { StreamStore } from '../../streams/stream.store.ts';
import { dropDelivery } from '../delivery.ts';
import type { RequestedAttempt } from '../dueAttempts.ts';
import { commitInParts } from './commitInParts.ts';

/** The limit of a DynamoDB transaction. */
const WRITES_MAXIMUM = 100;

/** Returns a function that ends deliveries without an attempt. One that another process has advanced stays as it is. */
export const deliveryDropper = (deps: {
  readonly streams: Pick<StreamStore, 'save'>;
  readonly newClaim: () => string;
}): ((dropped: readonly RequestedAttempt[]) => Promise<void>) => {
  const toWrite = ({ deliveryKey, found: { document, revision } }: RequestedAttempt): Write =>
    deps.streams.save(deliveryKey, dropDelivery(document), revision, { claim: deps.newClaim(), attempt: 1 });
  return (dropped) =>
    commitInParts(dropped, {
      maximum: WRITES_MAXIMUM,
      together: (part) => commitOrConflict(part.map(toWrite)),
      alone: async (one) => {
        await commit([toWrite(one)]);
      },
    });
};
