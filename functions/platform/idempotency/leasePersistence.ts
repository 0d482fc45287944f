import { IdempotencyItemAlreadyExistsError } from '@aws-lambda-powertools/idempotency';
import { BasePersistenceLayer, IdempotencyRecord } from '@aws-lambda-powertools/idempotency/persistence';
import type { Exchange } from '../http/exchange.ts';
import type { KeyedRequest } from '../http/underKey.ts';
import type { Clock } from '../shared/time/clock.ts';
import { keyConflict } from './idempotencyKey.ts';
import type { BeginResult, HeldClaim, ResponseStore } from './response.store.ts';

/** A lease ends this long after the timeout of its function, to allow for clock differences between functions. */
const LEASE_MARGIN_MS = 2_000;
/** The delays of a duplicate that waits for the first call. After the last one it returns 409. */
const RETRY_DELAYS_MS = [0, 50, 100, 200, 400];

/** One request with an Idempotency-Key, and the store of its response. */
interface LeasedRequest {
  readonly store: ResponseStore;
  readonly request: KeyedRequest;
  readonly exchange: Exchange;
  readonly clock: Clock;
}

/**
 * The persistence layer of one request for Powertools Idempotency. The library calls it in order: put, then update after
 * the operation returned, or delete after it threw. The layer maps these calls to a lease of {@link ResponseStore}, which
 * decides time, take-over and fencing. The library sees neither the request nor the response in the clear: the key is
 * hashed and the response sealed before.
 */
export class LeasePersistence extends BasePersistenceLayer {
  readonly #call: LeasedRequest;
  #begun: BeginResult | undefined;

  constructor(call: LeasedRequest) {
    super();
    this.#call = call;
  }

  /** The library would hash a JSON payload. The record key is a hash already, the same for every function of the route. */
  protected override getHashedIdempotencyKey(): string {
    return this.#call.request.recordKey;
  }

  /** Takes the lease and hands the arrival time to the operation. Throws IDEMPOTENCY_CONFLICT. */
  protected override async _putRecord({ idempotencyKey }: IdempotencyRecord): Promise<void> {
    const begun = await this.#begin(idempotencyKey);
    this.#begun = begun;
    if (begun.kind === 'conflict') throw keyConflict();
    if (begun.kind !== 'held') throw new IdempotencyItemAlreadyExistsError();
    this.#call.exchange.receivedAt = begun.claim.receivedAt;
  }

  /**
   * The row that prevented the lease, as `begin` read it. It has no timestamps: the store has checked them, and the library
   * would compare whole seconds with another clock.
   */
  protected override async _getRecord(idempotencyKey: string): Promise<IdempotencyRecord> {
    return this.#begun?.kind === 'ended'
      ? new IdempotencyRecord({ idempotencyKey, status: 'COMPLETED', responseData: this.#begun.sealed })
      : new IdempotencyRecord({ idempotencyKey, status: 'INPROGRESS' });
  }

  /** Stores the sealed response. If that fails, releases the lease, so that a retry runs at once. */
  protected override async _updateRecord(record: IdempotencyRecord): Promise<void> {
    try {
      await this.#call.store.end(this.held(), String(record.getResponse()));
    } catch (error) {
      await this._deleteRecord();
      throw error;
    }
  }

  /** Releases the lease and keeps the row with its arrival time. If the store is down, the lease ends by itself. */
  protected override async _deleteRecord(): Promise<void> {
    await this.#call.store.abandon(this.held()).catch(() => undefined);
  }

  /** The claim, while the operation runs. */
  held(): HeldClaim {
    if (this.#begun?.kind !== 'held') throw new Error('the lease is not held');
    return this.#begun.claim;
  }

  /** Takes the lease. While another call holds it, waits briefly for the other to finish. */
  async #begin(recordKey: string): Promise<BeginResult> {
    const { store, request, exchange, clock } = this.#call;
    let now = exchange.receivedAt;
    for (const wait of RETRY_DELAYS_MS) {
      if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
      now += wait;
      const lease = clock() + exchange.lambda.getRemainingTimeInMillis() + LEASE_MARGIN_MS;
      const begun = await store.begin(recordKey, request.fingerprint, now, lease);
      if (begun.kind !== 'running') return begun;
    }
    return { kind: 'running' };
  }
}
