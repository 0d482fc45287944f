import { archivedVersionBatch } from '../../archive/reading/archivedRecords.ts';
import getAttribution from '../../attribution/getAttribution.ts';
import listAttribution from '../../attribution/listAttribution.ts';
import listDisputes from '../../corrections/listDisputes.ts';
import { dedupClaimReader } from '../../ledger/dedupClaim.store.ts';
import { disputeReader } from '../../ledger/disputeIndex.store.ts';
import { placeReader } from '../../ledger/places/placeReader.store.ts';
import { traceRecordReader } from '../../ledger/query/traceRecord.store.ts';
import { versionBatchReader } from '../../ledger/query/versionBatch.store.ts';
import { resource } from '../../shared/settings.ts';
import { systemClock } from '../../shared/time/clock.ts';
import { unit } from '../wiring/httpHandler.ts';
import { indexLagFromEnv } from '../wiring/indexLagFromEnv.ts';
import { archiveFromEnv, ledgerFromEnv } from '../wiring/ledgerFromEnv.ts';
import { cursorKeyFromEnv, pipelineFromEnv } from '../wiring/pipelineFromEnv.ts';

const archive = archiveFromEnv();
const stores = {
  ledger: ledgerFromEnv(archive),
  disputes: disputeReader(resource('table', 'ledger')),
  places: placeReader(resource('table', 'ledger')),
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
