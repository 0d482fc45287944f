import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import * as z from 'zod';
import { ContractPrices } from '../../schemas/attribution/contractPrices.ts';
import { Role, roleNames } from '../../schemas/identity/roles.ts';
import { Limit, plans, rateClasses } from '../../schemas/platform/limits.ts';
import { TAG_KEYS_MAXIMUM, TagKey } from '../../schemas/tenants/costAllocationTags.ts';
import { label } from '../../schemas/values.ts';
import { findDeployment } from './deployment.ts';
import { isVocabulary } from './erasure/person/vocabulary.ts';
import { tenantAdministration } from './tenants.ts';
import { inviteUser, userPoolOf } from './userPool.ts';

const USAGE = `Usage: npm run tenant -- <command> [options]

  create --name NAME [--id ID] [--plan ${plans.join('|')}] [--residency LANE ...] [--key-lifetime DAYS]
         [--cost-allocation-tag KEY ...] [--sandbox]
                                   create a tenant and print its first admin key; the key is shown only once. Reports can
                                   group by the keys of cost allocation tags. With --sandbox, the tenant loads synthetic
                                   data and can be reset; not in production
  show ID                          print the tenant
  key ID [--name NAME]             issue a new admin key, for example after the loss of the last one; the key is shown
                                   only once, and other keys stay valid
  set ID [--plan PLAN] [--limit CLASS=RATE/BURST|CLASS=default ...] [--residency LANE ...|--residency none]
         [--key-lifetime DAYS]
                                   change the plan, the limits (${rateClasses.join(', ')}), the data-residency lanes
                                   (the first is the home lane), or the maximum lifetime of API keys
  sender ID PRINCIPAL [--remove]   allow an AWS principal (SenderId without session) to send events for the tenant by SQS
  user ID EMAIL --role ROLE [--no-mail]
                                   allow a user to sign in, or change the role: ${roleNames.join(', ')}. In a user pool of
                                   the stack, the user is created with a verified address and invited by mail; with
                                   --no-mail, the temporary password is printed
  user ID EMAIL --remove           remove a user; access ends immediately
  erase ID --confirm ID [--with-audit]
                                   delete all data of a tenant, for good, and print a statement with the number of rows
                                   before and after; the audit log keeps the digest of the statement
  erase-person ID NAME --confirm NAME [--as PSEUDONYM]
                                   replace the name of a person by a pseudonym in all data of the tenant, for good, and
                                   print a statement; sums and numbers of persons stay the same
  prices ID [FILE]                 set contract prices from a JSON file ([] removes them); print the current prices

  --stack NAME      use this deployment, with your AWS credentials (default: the local instance)
  --data-dir DIR    data directory of the local instance (default: .local)`;

const options = {
  name: { type: 'string' },
  id: { type: 'string' },
  plan: { type: 'string' },
  residency: { type: 'string', multiple: true },
  limit: { type: 'string', multiple: true },
  'key-lifetime': { type: 'string' },
  'cost-allocation-tag': { type: 'string', multiple: true },
  role: { type: 'string' },
  sandbox: { type: 'boolean', default: false },
  remove: { type: 'boolean', default: false },
  confirm: { type: 'string' },
  as: { type: 'string' },
  'with-audit': { type: 'boolean', default: false },
  'no-mail': { type: 'boolean', default: false },
  stack: { type: 'string' },
  'data-dir': { type: 'string', default: '.local' },
  help: { type: 'boolean' },
} as const;

const TenantId = z
  .string()
  .regex(
    /^[a-z0-9][a-z0-9-]{0,62}$/,
    'A tenant id has 1 to 63 lower-case letters, digits and hyphens, and starts with a letter or digit.',
  );
const KeyLifetime = z.coerce
  .number('--key-lifetime must be a number of days from 1 to 3650.')
  .int()
  .min(1)
  .max(3_650);
const Lanes = z.array(label(64));
const TagKeys = z.array(TagKey).max(TAG_KEYS_MAXIMUM);

const Pseudonym = z
  .string()
  .regex(
    /^erased-[0-9a-f]{16}$/,
    'A pseudonym is the one that an earlier run has named, such as erased-0123456789abcdef.',
  );
const newPseudonym = (): string => `erased-${randomBytes(8).toString('hex')}`;

const print = (value: unknown): string => JSON.stringify(value, null, 2);

type Limits = Partial<Record<(typeof rateClasses)[number], Limit>>;

/** Applies limit options: `read=1/2` sets rate and burst, `read=default` restores the limit of the plan. */
const changeLimits = (limits: Limits, texts: readonly string[]): Limits => {
  const changed = { ...limits };
  for (const text of texts) {
    const [, name, value, rate, burst] = /^(\w+)=(default|([\d.]+)\/(\d+))$/.exec(text) ?? [];
    const rateClass = z.enum(rateClasses).parse(name);
    if (value === 'default') delete changed[rateClass];
    else changed[rateClass] = Limit.parse({ rate: Number(rate), burst: Number(burst) });
  }
  return changed;
};

const readPrices = (file: string): ContractPrices => {
  const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
  return ContractPrices.parse(value);
};

/** Runs the command of an operator with these arguments. Returns what to print. Throws if an argument is invalid. */
export const tenantCommand = async (args: string[]): Promise<string> => {
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options });
  const [command, id = '', third] = positionals;
  if (values.help || command === undefined) return USAGE;
  const deployment = await findDeployment({ stack: values.stack, dataDir: values['data-dir'] });
  const administration = await tenantAdministration(deployment);
  const requireTenant = async () => {
    const tenant = await administration.show(id);
    if (tenant === null) throw new Error(`Tenant "${id}" does not exist.`);
    return tenant;
  };
  const lanes = values.residency?.join() === 'none' ? [] : values.residency;
  const lifetime =
    values['key-lifetime'] === undefined ? undefined : KeyLifetime.parse(values['key-lifetime']);
  const tagKeys = values['cost-allocation-tag'];

  switch (command) {
    case 'create': {
      const name = z.string({ error: 'Set the name of the tenant with --name.' }).parse(values.name);
      const tenant = await administration.open({
        tenantId: TenantId.parse(values.id ?? name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')),
        name,
        plan: z.enum(plans).parse(values.plan ?? 'free'),
        residency: Lanes.parse(lanes ?? []),
        sandbox: values.sandbox,
        ...(tagKeys !== undefined && { costAllocationTags: TagKeys.parse(tagKeys) }),
        ...(lifetime !== undefined && { keyLifetimeDays: lifetime }),
      });
      const secret = await administration.issueKey(tenant, 'first admin key');
      return print({ ...tenant, api_key: secret });
    }
    case 'show':
      return print(await requireTenant());
    case 'key': {
      const tenant = await requireTenant();
      const secret = await administration.issueKey(tenant, values.name ?? 'admin key of the operator');
      return print({ tenant_id: tenant.tenant_id, api_key: secret });
    }
    case 'set': {
      const plan = values.plan === undefined ? undefined : z.enum(plans).parse(values.plan);
      return print(
        await administration.update(id, (tenant) => ({
          ...tenant,
          plan: plan ?? tenant.plan,
          limits: changeLimits(tenant.limits, values.limit ?? []),
          residency: Lanes.parse(lanes ?? tenant.residency),
          key_lifetime_days: lifetime ?? tenant.key_lifetime_days,
        })),
      );
    }
    case 'sender': {
      const tenant = await requireTenant();
      const principal = z
        .string({ error: 'Set the AWS principal, for example: sender acme AROAEXAMPLE' })
        .min(1)
        .parse(third);
      if (values.remove) await administration.removeSender(tenant, principal);
      else await administration.registerSender(tenant, principal);
      return print({ tenant_id: tenant.tenant_id, principal, sends: !values.remove });
    }
    case 'user': {
      const tenant = await requireTenant();
      const email = z
        .email({
          error: 'Set the e-mail address of the user, for example: user acme jane@example.org --role viewer',
        })
        .parse(third);
      if (values.remove) return print(await administration.removeUser(tenant, email));
      const user = await administration.registerUser(tenant, email, Role.parse(values.role));
      const pool = userPoolOf(deployment);
      return print({ ...user, ...(pool && (await inviteUser(pool, email, { byMail: !values['no-mail'] }))) });
    }
    case 'erase': {
      const tenant = await requireTenant();
      if (values.confirm !== id)
        throw new Error(`This deletes all data of the tenant for good. Repeat its id: --confirm ${id}`);
      return print(await administration.erase(tenant, values['with-audit']));
    }
    case 'erase-person': {
      const tenant = await requireTenant();
      const name = z.string({ error: 'Set the name as the events have it.' }).min(1).parse(third);
      if (values.confirm !== name)
        throw new Error(
          `This replaces the name in all data of the tenant for good. Repeat it: --confirm ${name}`,
        );
      if (name === id || isVocabulary(name))
        throw new Error(
          `"${name}" is a word of the stored documents themselves. Correct the calls of this owner instead.`,
        );
      const pseudonym = Pseudonym.parse(values.as ?? newPseudonym());
      // Printed first: who repeats an interrupted run needs it.
      process.stderr.write(
        `The pseudonym is ${pseudonym}. Repeat an interrupted run with --as ${pseudonym}\n`,
      );
      return print(await administration.erasePerson(tenant, name, pseudonym));
    }
    case 'prices': {
      const tenant = await requireTenant();
      if (third !== undefined) await administration.replaceContractPrices(tenant, readPrices(third));
      return print(await administration.contractPrices(tenant.tenant_id));
    }
    default:
      throw new Error(`Unknown command "${command}".\n\n${USAGE}`);
  }
};
