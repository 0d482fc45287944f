import listDisputes from '../../attribution/corrections/listDisputes.ts';
import getAttribution from '../../attribution/engine/queries/getAttribution.ts';
import listAttribution from '../../attribution/engine/queries/listAttribution.ts';
import listAttributionVersions from '../../attribution/engine/queries/listAttributionVersions.ts';
import { cursorDerive } from '../stores/keys.ts';
import { claimsRead, disputesRead, tracesRead } from '../stores/ledger.ts';
import { progressRead } from '../stores/progress.ts';
import { ledgerRead, ledgerSort } from '../stores/records.ts';
import { pipelineFromEnv } from '../wiring/pipelineFromEnv.ts';
import { unitFromEnv } from '../wiring/unitFromEnv.ts';

export const handler = unitFromEnv({
  pipeline: pipelineFromEnv,
  operations: [listAttribution, getAttribution, listAttributionVersions, listDisputes],
  stores: { claimsRead, cursorDerive, disputesRead, ledgerRead, ledgerSort, progressRead, tracesRead },
});
