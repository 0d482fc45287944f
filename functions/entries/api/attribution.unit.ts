import listDisputes from '../../attribution/corrections/listDisputes.ts';
import getAttribution from '../../attribution/engine/getAttribution.ts';
import listAttribution from '../../attribution/engine/listAttribution.ts';
import { archivedVersionBatch } from '../../ledger/archive/reading/archivedRecords.ts';
import { dedupClaimReader } from '../../ledger/records/dedupClaim.store.ts';
import { disputeReader } from '../../ledger/records/disputeIndex.store.ts';
import { traceRecordReader } from '../../ledger/records/query/traceRecord.store.ts';
import { versionBatchReader } from '../../ledger/records/query/versionBatch.store.ts';
import { sortIndexReader } from '../../ledger/records/sortIndex/sortIndexReader.store.ts';
import { resource } from '../../platform/shared/settings.ts';
import { systemClock } from '../../platform/shared/time/clock.ts';
import { unit } from '../wiring/httpHandler.ts';
import { indexLagFromEnv } from '../wiring/indexLagFromEnv.ts';
import { archiveFromEnv, ledgerFromEnv } from '../wiring/ledgerFromEnv.ts';
import { cursorKeyFromEnv, pipelineFromEnv } from '../wiring/pipelineFromEnv.ts';

const archive = archiveFromEnv();
const stores = {
  ledger: ledgerFromEnv(archive),
  disputes: disputeReader(resource('table', 'ledger')),
  sortIndex: sortIndexReader(resource('table', 'ledger')),
  versions: archivedVersionBatch(versionBatchReader(resource('table', 'ledger'), systemClock), archive),
  claims: dedupClaimReader(resource('table', 'claims')),
  traces: traceRecordReader(resource('table', 'traces')),
  indexLag: indexLagFromEnv(),
  cursorKey: cursorKeyFromEnv(),
};

export const handler = unit(
  [listAttribution(stores), getAttribution(stores), listDisputes(stores)],
  pipelineFromEnv(),
);
