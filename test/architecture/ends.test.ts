import { globSync, readFileSync } from 'node:fs';
import { it } from 'vitest';
import { expectNoFaults } from '../support/faults.ts';

/** What ends by itself, compared with a time in another way than by `isHeld` and `endsOfHeld`, which bound it from above. */
const END = String.raw`(?:until|expires(?:_at)?|valid_until|live_until|due_at|lease)\b`;
const COMPARED = new RegExp(String.raw`\b${END}\)* [<>]=? | [<>]=? [\w.(]*\b${END}`);
/** A pause, which ends so long after an instant. */
const PAUSED =
  /\bnow\b\)? - [\w.?() ]+ [<>]=? \w*_MS\b|\bnow\b [<>]=? [^;]*\+ \w*_MS\b|\+ \w*_MS\)? [<>]=? now\b/;

/** Where nothing waits for the end, so that a clock that was set back blocks nothing. */
const EXPLAINED: Readonly<Record<string, readonly string[]>> = {
  'It ends what somebody may do, or has chosen. A clock behind lets it last longer.': [
    'delivery/webhooks/endpoints/challenge.ts',
    'delivery/webhooks/endpoints/signature.ts',
    'identity/access/principals/apiKey.ts',
    'identity/access/principals/secret.ts',
    'identity/access/tokens/keySchedule.ts',
    'identity/credentials/apiKeyRecord.ts',
    'identity/oauth/refreshToken.ts',
    'identity/oauth/session/findSession.ts',
    'identity/oauth/signIn/finishSignIn.ts',
    'identity/oauth/validateAuthorizationCode.ts',
    'insight/anomalies/mutes/mutes.ts',
    'insight/budgets/alerts/crossing.ts',
    'platform/http/pages/cursor.ts',
    'tenants/sandbox/sandbox.ts',
  ],
  'It ends the 24 hours of an Idempotency-Key. An earlier end would let an effect happen twice.': [
    'ledger/records/dedup/eventKey.store.ts',
    'platform/idempotency/claimRow.store.ts',
  ],
  'It ends the life of a row, or a range of data.': [
    'chargeback/reconciliation/comparison/billCoverage.ts',
    'chargeback/reconciliation/deliveries/delivery.ts',
    'chargeback/reconciliation/getReconciliation.ts',
    'chargeback/reconciliation/sources/aws/readMonth.ts',
    'delivery/notifications/listNotifications.ts',
    'delivery/notifications/markNotificationsRead.ts',
    'ledger/archive/reading/archivedVersions.ts',
    'ledger/records/ledger.store.ts',
    'ledger/records/recordVersion.store.ts',
  ],
  'It ends a run that the time of the function ends too.': [
    'chargeback/exports/delivery/putExport.ts',
    'chargeback/exports/delivery/putFile.ts',
    'chargeback/exports/steps/gather.ts',
    'chargeback/reconciliation/sources/aws/exportReports.ts',
    'chargeback/reconciliation/sources/imports/importSource.ts',
    'chargeback/reconciliation/sources/reports/readReport.ts',
  ],
  'It waits from the end of a day, an hour or a month on, which no clock has set.': [
    'chargeback/reconciliation/sources/billSource.ts',
    'ledger/archive/closing/closeDueDays.ts',
    'ledger/rollups/checks/sweepTotals.ts',
  ],
  'It saves work or space. Nobody waits for it.': [
    'attribution/training/models/circuitBreaker.ts',
    'ledger/records/shards/shardBits.ts',
  ],
  'It has an exact bound of its own, in microseconds.': ['platform/limits/limiter.ts'],
};
const explained = new Set(Object.values(EXPLAINED).flat());

const codeOf = (line: string): string =>
  line
    .replace(/^\s*(?:\*|\/).*/, '')
    .replaceAll('=>', '')
    .replaceAll(/\w+<[^()]*>/g, '');

it('every lease and pause has a latest end, so that a clock that was set back never waits longer than it lasts', async () => {
  const files = globSync('functions/**/*.ts').map((path) => path.replace('functions/', ''));
  const isComparing = (file: string): boolean =>
    readFileSync(`functions/${file}`, 'utf8')
      .split('\n')
      .some((line) => COMPARED.test(codeOf(line)) || PAUSED.test(codeOf(line)));

  await expectNoFaults(files, String, (file) => {
    if (file === 'platform/shared/time/lease.ts' || isComparing(file) === explained.has(file)) return [];
    return [
      explained.has(file) ? 'is explained and compares no end' : 'compares an end by itself, use isHeld',
    ];
  });
});
