import { rebuildRollups } from '../ledger/reports.ts';
import { measureReads } from '../support/measureReads.ts';
import type { MeasuredService } from '../support/service.ts';
import { goal, type Table, table } from '../support/table.ts';
import { filterUsage, sumOf, totalWork } from '../support/usage.ts';
import { costRows, totalOf } from './costModel.ts';
import { prices } from './prices.ts';
import { READING } from './trafficMix.ts';

const MILLION = 1e6;
/** USD per million events that each feature may cost. */
const GOAL_USD = 0.1;
const DAYS_MS = 30 * 24 * 60 * 60 * 1_000;
/** One access log line of the gateway, and one line of the function. */
const LOG_BYTES = 400;

/** The reports and lists, by what people call them. */
const requests = (): Readonly<
  Record<'changes' | 'forecast' | 'savings' | 'unit costs' | 'annotations' | 'saved views', string>
> => {
  const from = new Date(Date.now() - DAYS_MS).toISOString().slice(0, 10);
  return {
    changes: `/v1/reports/changes?from=${from}&group_by=owner`,
    forecast: '/v1/reports/forecast?group_by=owner',
    savings: `/v1/reports/savings?from=${from}`,
    'unit costs': `/v1/reports/unit-costs?from=${from}&group_by=owner`,
    annotations: '/api/v1/annotations',
    'saved views': '/api/v1/saved-views',
  };
};

/** The unit that serves a request. */
const isUnit = /^Units(?:Reports|Budgets)/;

/** USD of one request, with all AWS calls one after the other, which is the most that they wait. */
const requestUsd = async (service: MeasuredService, path: string, repeats: number): Promise<number> => {
  const { used, text } = await measureReads(service, `${service.runtime.baseUrl}${path}`, repeats);
  const own = filterUsage(used, isUnit);
  const [[logicalId = ''] = []] = Object.entries(own).filter(([, { invocations }]) => invocations > 0);
  const { invocations, cpuSeconds } = totalWork(own);
  if (invocations !== repeats) throw new Error(`${path}: ${invocations} invocations for ${repeats} requests`);
  const rows = costRows({
    httpRequests: 1,
    functions: [
      {
        name: path,
        memoryMegabytes: service.functionOf(logicalId).memoryMiB,
        invocations: 1,
        cpuSeconds: cpuSeconds / repeats,
        waits: sumOf(own, /./) / repeats,
      },
    ],
    writeUnits: sumOf(used, /Put|Update|Delete/, 'capacity') / repeats,
    indexWriteUnits: 0,
    readUnits: sumOf(used, /GetItem|Query/, 'capacity') / repeats,
    sqsRequests: 0,
    kmsRequests: sumOf(used, /^kms /) / repeats,
    logBytes: LOG_BYTES,
    bytesOut: text.length,
  });
  return totalOf(rows) / MILLION;
};

/** What reading costs beside recording. The rollups of the loaded records are made first, which is not measured. */
export const readingTable = async (service: MeasuredService, repeats: number): Promise<Table> => {
  await rebuildRollups(service);
  const usd = new Map<string, number>();
  for (const [feature, path] of Object.entries(requests()))
    usd.set(feature, await requestUsd(service, path, repeats));
  const priceOf = (feature: string): number => usd.get(feature) ?? 0;
  // A report that is sent reads three others, and is one message.
  usd.set(
    'sent report',
    priceOf('changes') + priceOf('forecast') + priceOf('savings') + prices.sesMessage.usd,
  );
  return table(
    'Reports and suggestions: USD per million events',
    [...usd].map(([feature, each]) => {
      const times = feature === 'sent report' ? READING.sentReports : READING.requests;
      const perMillion = each * times;
      return {
        feature,
        'times per million events': times,
        'USD each': each.toFixed(6),
        'USD per million events': perMillion.toFixed(4),
        goal: goal(perMillion, GOAL_USD),
      };
    }),
    'Thirty days of the loaded records. Changes include price changes; savings include shorter calls.',
    'The rollups of the calls hold what savings need, and are priced above. Sending by chat costs less than by e-mail.',
  );
};
