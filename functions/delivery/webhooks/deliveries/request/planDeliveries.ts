import type { Scope } from '../../../../../schemas/identity/scopes.ts';
import type { DerivedKey } from '../../../../platform/shared/aws/derivedKey.aws.ts';
import type { Clock } from '../../../../platform/shared/time/clock.ts';
import type { StoredEndpoint } from '../../endpoints/endpoint.store.ts';
import type { RequestedAttempt } from '../dueAttempts.ts';
import type { CompletedAttempt } from '../outcome/commitAttempts.ts';
import { completeAttempts, type DueDelivery } from '../outcome/completeAttempts.ts';
import { canReceive, envelopeOf } from './outboundMessage.ts';
import { type PlannedRequest, planRequests } from './plannedRequest.ts';
import { withheldFrom } from './withheldFrom.ts';

/** A delivery that is sent, with the bytes of its event. */
export interface SendableDelivery extends DueDelivery {
  readonly envelope: Uint8Array;
}

/** What becomes of the due deliveries to an endpoint. */
interface DeliveryPlan {
  readonly requests: readonly PlannedRequest<SendableDelivery>[];
  readonly withheld: readonly CompletedAttempt[];
  readonly dropped: readonly RequestedAttempt[];
}

/**
 * Returns a function that decides about each delivery before requests are built: a batch holds only events that the endpoint
 * may get.
 */
export const deliveryPlanner =
  (deps: {
    /** Decrypts the sealed secrets of endpoints. */
    readonly key: DerivedKey;
    readonly clock: Clock;
    readonly newClaim: () => string;
    readonly uniform: () => number;
    readonly scale: number;
  }) =>
  async (
    due: readonly (RequestedAttempt & { readonly entry: DueDelivery['entry'] | null })[],
    endpoint: StoredEndpoint,
    held: ReadonlySet<Scope>,
  ): Promise<DeliveryPlan> => {
    const sendable: SendableDelivery[] = [];
    const refused: CompletedAttempt[] = [];
    const dropped: RequestedAttempt[] = [];
    const { key, clock, newClaim, uniform, scale } = deps;
    const derivedKey = await key();
    for (const one of due) {
      const { entry } = one;
      const isReceived = entry !== null && canReceive(endpoint, entry);
      const envelope = isReceived ? envelopeOf(entry, endpoint, derivedKey) : null;
      if (entry === null || envelope === null) {
        dropped.push(one);
        continue;
      }
      const outcome = withheldFrom(endpoint, held, entry);
      if (outcome === null) {
        sendable.push({ ...one, entry, envelope });
        continue;
      }
      const at = clock();
      const shared = { outcome, startedAt: at, endedAt: at, claim: newClaim(), isBatch: false };
      refused.push(...completeAttempts([{ ...one, entry }], endpoint, shared, { uniform, scale }));
    }
    return { requests: planRequests(sendable, endpoint.max_batch_size), withheld: refused, dropped };
  };
