import confirmCost from '../../attribution/corrections/confirmCost.ts';
import disputeAttribution from '../../attribution/corrections/disputeAttribution.ts';
import overrideAttribution from '../../attribution/corrections/overrideAttribution.ts';
import { auditAppend } from '../stores/identity.ts';
import { rollupsMark } from '../stores/ledger.ts';
import { outboxAppend } from '../stores/platform.ts';
import { ledgerCorrect } from '../stores/records.ts';
import { pipelineFromEnv } from '../wiring/pipelineFromEnv.ts';
import { unitFromEnv } from '../wiring/unitFromEnv.ts';

export const handler = unitFromEnv({
  pipeline: pipelineFromEnv,
  operations: [overrideAttribution, disputeAttribution, confirmCost],
  stores: { auditAppend, ledgerCorrect, outboxAppend, rollupsMark },
});
