import { readFile } from 'node:fs/promises';
import * as z from 'zod';
import { utcDateOf } from '../../../functions/platform/shared/time/toIso.ts';
import { DAY_MS } from '../../../schemas/durations.ts';
import { parseCommandLine } from '../../commandLine.ts';
import { findDeployment } from '../../operator/deployment.ts';
import { checkPriceLoad } from './checkPriceLoad.ts';
import { firstDayOf, priceAdministration } from './loadPrices.ts';
import { effectLines } from './priceEffects.ts';

const USAGE = `Usage: npm run prices -- load FILE [--dry-run] [--days N] [options]
       npm run prices -- show [VERSION] [options]

load  Loads prices into a running stack. FILE has dated prices and multipliers, see docs/guides/prices.md. The command checks
      it, names each fault, and prints which records of the last days change. Each price applies from its day on; nothing else
      changes. Workers use it within 10 seconds for new events. Existing records change when you reprocess them.
show  Prints all that was loaded, as the object of a version that a record names, or of the one in force.

  --dry-run         check and report, change nothing
  --days N          days of records in the report (default: 7)
  --stack NAME      use this deployment, with your AWS credentials (default: the local instance)
  --data-dir DIR    data directory of the local instance (default: .local)`;

const Days = z.coerce.number('--days must be a number of days.').int().min(1).max(760);

/** Runs the commands `prices load` and `prices show`, and returns their output. */
export const loadCommand = async (args: readonly string[]): Promise<string> => {
  const { positionals, values } = parseCommandLine(args, {
    'dry-run': { type: 'boolean', default: false },
    days: { type: 'string', default: '7' },
    stack: { type: 'string' },
    'data-dir': { type: 'string', default: '.local' },
    help: { type: 'boolean', default: false },
  });
  const [action, operand] = positionals;
  if (values.help || (action === 'load' && operand === undefined)) return USAGE;
  const connect = async () =>
    priceAdministration(await findDeployment({ stack: values.stack, dataDir: values['data-dir'] }));
  if (action === 'show') return JSON.stringify(await (await connect()).show(operand), null, 2);

  const now = new Date();
  const days = Days.parse(values.days);
  const prices = checkPriceLoad(await readFile(operand ?? '', 'utf8'), utcDateOf(now.getTime()));
  const administration = await connect();
  const plan = await administration.plan(prices, now);
  const first = firstDayOf(prices);
  const lines: string[] = [];
  const reprocess: string[] = [];
  for await (const { tenant, effects } of administration.effects(plan, prices, days, now.getTime())) {
    const changed = effectLines(effects);
    if (changed.length === 0) continue;
    lines.push(tenant.tenant_id, ...changed);
    reprocess.push(`  npm run reprocess -- ${tenant.tenant_id} --from ${first}`);
  }
  if (plan.before === plan.after) lines.push('The file is what was loaded last.');
  else if (lines.length === 0) lines.push(`No record of the last ${days} days changes.`);
  if (Date.parse(first) < now.getTime() - days * DAY_MS) {
    lines.push(
      `The prices begin on ${first}. Records of more than ${days} days ago are not in this report: see --days.`,
    );
  }
  if (values['dry-run'])
    return [...lines, `Nothing was changed. The version would be ${plan.version}.`].join('\n');
  await administration.load(plan, now);
  return [
    ...lines,
    `${plan.version} is in force. New events have these prices within 10 seconds.`,
    ...(reprocess.length > 0
      ? ['Records get them when you reprocess, at the earliest in a minute:', ...reprocess]
      : []),
  ].join('\n');
};
