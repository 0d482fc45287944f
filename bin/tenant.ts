import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import * as z from 'zod';
import { Role, roleNames } from '../schemas/access/roles.ts';
import { ContractPrices } from '../schemas/attribution/contractPrices.ts';
import { Limit, plans, rateClasses } from '../schemas/platform/limits.ts';
import { label } from '../schemas/values.ts';
import { findDeployment } from '../tools/operator/deployment.ts';
import { tenantAdministration } from '../tools/operator/tenants.ts';

const USAGE = `Usage: npm run tenant -- <command> [options]

  create --name NAME [--id ID] [--plan ${plans.join('|')}] [--residency LANE ...] [--key-lifetime DAYS]
                                   opens a tenant and prints its first admin key, once
  show ID                          prints the tenant
  set ID [--plan PLAN] [--limit CLASS=RATE/BURST|CLASS=default ...] [--residency LANE ...|--residency none]
         [--key-lifetime DAYS] [--shards COUNT]
                                   changes plan, limits (${rateClasses.join(', ')}), data-residency lanes (the first is
                                   home), the longest life of an API key, or the ledger's write shards
  sender ID PRINCIPAL [--remove]   lets an AWS principal (SenderId without session) send for the tenant by SQS
  user ID EMAIL --role ROLE        lets a person sign in, as ${roleNames.join(', ')}; or changes the role
  user ID EMAIL --remove           ends what the person may do, at once
  prices ID [FILE]                 sets contract prices from a JSON file, an empty list for none; prints those in force

  --stack NAME      the deployed stack, with your AWS credentials; default the local instance
  --data-dir DIR    where the local instance keeps its state; default .local`;

/** Shards take effect later than any cache lasts and any event may lie ahead, so that no record is looked for elsewhere. */
const SHARD_NOTICE_MILLISECONDS = 60 * 60 * 1_000;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    name: { type: 'string' },
    id: { type: 'string' },
    plan: { type: 'string' },
    residency: { type: 'string', multiple: true },
    limit: { type: 'string', multiple: true },
    'key-lifetime': { type: 'string' },
    shards: { type: 'string' },
    role: { type: 'string' },
    remove: { type: 'boolean', default: false },
    stack: { type: 'string' },
    'data-dir': { type: 'string', default: '.local' },
    help: { type: 'boolean' },
  },
});

const TenantId = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,62}$/, 'a tenant id is lower-case letters, digits and hyphens');
const KeyLifetime = z.coerce.number('--key-lifetime is a number of days').int().min(1).max(3_650);
const Lanes = z.array(label(64));

const print = (value: unknown): void => console.info(JSON.stringify(value, null, 2));

type Limits = Partial<Record<(typeof rateClasses)[number], Limit>>;

/** The overrides after those given: `read=1/2` sets one, `read=default` gives the plan's back. */
const changeLimits = (limits: Limits, texts: readonly string[]): Limits => {
  const changed = { ...limits };
  for (const text of texts) {
    const [, name, given, rate, burst] = /^(\w+)=(default|([\d.]+)\/(\d+))$/.exec(text) ?? [];
    const rateClass = z.enum(rateClasses).parse(name);
    if (given === 'default') delete changed[rateClass];
    else changed[rateClass] = Limit.parse({ rate: Number(rate), burst: Number(burst) });
  }
  return changed;
};

const readPrices = (file: string): ContractPrices => {
  const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
  return ContractPrices.parse(value);
};

const run = async (): Promise<void> => {
  const [command, id = '', third] = positionals;
  if (values.help || command === undefined) return console.info(USAGE);
  const deployment = await findDeployment({ stack: values.stack, dataDir: values['data-dir'] });
  const administration = await tenantAdministration(deployment);
  const found = async () => {
    const tenant = await administration.show(id);
    if (tenant === null) throw new Error(`there is no tenant ${id}`);
    return tenant;
  };
  const lanes = values.residency?.join() === 'none' ? [] : values.residency;
  const lifetime =
    values['key-lifetime'] === undefined ? undefined : KeyLifetime.parse(values['key-lifetime']);

  switch (command) {
    case 'create': {
      const name = z.string({ error: '--name is required' }).parse(values.name);
      const tenant = await administration.open({
        tenantId: TenantId.parse(values.id ?? name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')),
        name,
        plan: z.enum(plans).parse(values.plan ?? 'free'),
        residency: Lanes.parse(lanes ?? []),
        ...(lifetime !== undefined && { keyLifetimeDays: lifetime }),
      });
      const secret = await administration.issueKey(tenant, 'first admin key');
      return print({ ...tenant, api_key: secret });
    }
    case 'show':
      return print(await found());
    case 'set': {
      const plan = values.plan === undefined ? undefined : z.enum(plans).parse(values.plan);
      const count =
        values.shards === undefined ? undefined : z.coerce.number().int().min(1).max(64).parse(values.shards);
      const shards = count === undefined ? [] : [{ from: Date.now() + SHARD_NOTICE_MILLISECONDS, count }];
      return print(
        await administration.update(id, (tenant) => ({
          ...tenant,
          plan: plan ?? tenant.plan,
          limits: changeLimits(tenant.limits, values.limit ?? []),
          residency: Lanes.parse(lanes ?? tenant.residency),
          key_lifetime_days: lifetime ?? tenant.key_lifetime_days,
          shards: [...tenant.shards, ...shards],
        })),
      );
    }
    case 'sender': {
      const tenant = await found();
      const principal = z.string({ error: 'name the principal' }).min(1).parse(third);
      if (values.remove) await administration.removeSender(tenant, principal);
      else await administration.registerSender(tenant, principal);
      return print({ tenant_id: tenant.tenant_id, principal, sends: !values.remove });
    }
    case 'user': {
      const tenant = await found();
      const email = z.email({ error: 'name the person by an e-mail address' }).parse(third);
      if (values.remove) return print(await administration.removeUser(tenant, email));
      return print(await administration.registerUser(tenant, email, Role.parse(values.role)));
    }
    case 'prices': {
      const tenant = await found();
      if (third !== undefined) await administration.replaceContractPrices(tenant, readPrices(third));
      return print(await administration.contractPrices(tenant.tenant_id));
    }
    default:
      throw new Error(`unknown command ${command}\n\n${USAGE}`);
  }
};

await run().catch((error: unknown) => {
  console.error(
    error instanceof z.ZodError ? z.prettifyError(error) : error instanceof Error ? error.message : error,
  );
  process.exitCode = 1;
});
