import { CoverageExpectations } from '../../schemas/coverage.ts';
import { PathwayCategory } from '../../schemas/ingestion/invocationEvent.ts';
import {
  type Revision,
  readVersioned,
  type Versioned,
  type Write,
  type WriteOptions,
  writeDocument,
} from '../shared/aws/document.store.ts';
import { type DiscoveryReader, discoveryReader } from './discovery.store.ts';
import { type HeartbeatReader, heartbeatReader } from './heartbeat.store.ts';
import { PathwayState } from './pathwayState.ts';

/** A pathway that is not active and does not move is forgotten after this long. */
const STATE_SECONDS = 90 * 24 * 60 * 60;

const stateKey = (tenantId: string, pathway: PathwayCategory) => ({ pk: `${tenantId}#state`, sk: pathway });
const expectationsKey = (tenantId: string) => ({ pk: `${tenantId}#expected`, sk: 'expected' });

/** What a tenant expects, on what it was read. */
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
  /** States as they are kept, each with who wrote it last. */
  readonly states: (tenantId: string) => Promise<Versioned<PathwayState>[]>;
  /** The write that moves a pathway on from what was seen. */
  readonly putState: (tenantId: string, state: PathwayState, seen: Revision | null) => Write;
}

export const coverageStore = (table: string): CoverageStore => ({
  ...heartbeatReader(table),
  ...discoveryReader(table),
  ...expectationStore(table),
  states: async (tenantId) => {
    const found = await Promise.all(
      PathwayCategory.options.map((pathway) =>
        readVersioned(table, stateKey(tenantId, pathway), PathwayState),
      ),
    );
    return found.flatMap((state) => state ?? []);
  },
  putState: (tenantId, state, expectedRevision) =>
    writeDocument(table, stateKey(tenantId, state.pathway_category), state, {
      expectedRevision,
      by: { claim: 'coverage', attempt: (expectedRevision?.attempt ?? 0) + 1 },
      ...(state.state !== 'active' && {
        ttl: Math.ceil(Date.parse(state.since) / 1_000) + STATE_SECONDS,
      }),
    }),
});
