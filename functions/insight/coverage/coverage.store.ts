import { DAY_SECONDS } from '../../../schemas/durations.ts';
import { PathwayCategory } from '../../../schemas/ingest/invocationEvent.ts';
import { CoverageExpectations } from '../../../schemas/insight/coverage.ts';
import {
  type Revision,
  readVersioned,
  type Versioned,
  type Write,
  type WriteOptions,
  writeDocument,
} from '../../platform/shared/aws/document.store.ts';
import { type DiscoveryReader, discoveryReader } from './discovery.store.ts';
import { type HeartbeatReader, heartbeatReader } from './heartbeat.store.ts';
import { PathwayState } from './pathwayState.ts';

/** How long an unchanged state of a pathway that is not active is kept, in seconds. */
const STATE_RETENTION_SECONDS = 90 * DAY_SECONDS;

const stateKey = (tenantId: string, pathway: PathwayCategory) => ({ pk: `${tenantId}#state`, sk: pathway });
const expectationsKey = (tenantId: string) => ({ pk: `${tenantId}#expected`, sk: 'expected' });

/** The expectations of a tenant with their revision. Null: none were written. */
export interface VersionedExpectations {
  readonly document: CoverageExpectations;
  readonly revision: Revision | null;
}

export interface ExpectationStore {
  readonly expectations: (tenantId: string) => Promise<VersionedExpectations>;
  readonly putExpectations: (
    tenantId: string,
    document: CoverageExpectations,
    options: WriteOptions,
  ) => Write;
}

export const expectationStore = (table: string): ExpectationStore => ({
  expectations: async (tenantId) =>
    (await readVersioned(table, expectationsKey(tenantId), CoverageExpectations)) ?? {
      document: { expectations: [] },
      revision: null,
    },
  putExpectations: (tenantId, document, options) =>
    writeDocument(table, expectationsKey(tenantId), document, options),
});

export interface CoverageStore
  extends HeartbeatReader,
    DiscoveryReader,
    Pick<ExpectationStore, 'expectations'> {
  /** The stored states with their revisions. */
  readonly states: (tenantId: string) => Promise<Versioned<PathwayState>[]>;
  /** Returns the write of a state. It fails when the stored revision is not the expected one. */
  readonly putState: (tenantId: string, state: PathwayState, expectedRevision: Revision | null) => Write;
}

export const coverageStore = (table: string): CoverageStore => ({
  ...heartbeatReader(table),
  ...discoveryReader(table),
  ...expectationStore(table),
  states: async (tenantId) => {
    const states = await Promise.all(
      PathwayCategory.options.map((pathway) =>
        readVersioned(table, stateKey(tenantId, pathway), PathwayState),
      ),
    );
    return states.flatMap((state) => state ?? []);
  },
  putState: (tenantId, state, expectedRevision) =>
    writeDocument(table, stateKey(tenantId, state.pathway_category), state, {
      expectedRevision,
      by: { claim: 'coverage', attempt: (expectedRevision?.attempt ?? 0) + 1 },
      ...(state.state !== 'active' && {
        ttl: Math.ceil(Date.parse(state.since) / 1_000) + STATE_RETENTION_SECONDS,
      }),
    }),
});
