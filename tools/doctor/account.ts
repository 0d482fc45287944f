import { stackNamesOf } from '../../lib/names.ts';
import type { Settings } from '../../lib/settings.ts';
import type { WorkerShape } from '../../schemas/platform/workers/workerShape.ts';
import { workerNames, workers } from '../../schemas/platform/workers.ts';
import type { Finding } from './finding.ts';

/** What the checks before a deployment read from an AWS account. Each function rejects with the error of AWS. */
export interface AccountReader {
  readonly region: () => Promise<string>;
  /** The version of the CDK bootstrap stack, or null if the region is not prepared. */
  readonly bootstrapVersion: () => Promise<number | null>;
  readonly lambdaConcurrency: () => Promise<number>;
  /** Whether SES sends to any recipient. In its sandbox it sends only to verified addresses. */
  readonly sendsMailToAnyone: () => Promise<boolean>;
  /** The write capacity units a second of one on-demand table. */
  readonly tableWriteUnits: () => Promise<number>;
  /** The status of the stack, or undefined if it does not exist. */
  readonly stackStatus: (stack: string) => Promise<string | undefined>;
}

/** The oldest bootstrap version that the CDK of this project deploys with. */
const BOOTSTRAP_MINIMUM = 6;
/** What an account has after its first request. It serves one large tenant: docs/guides/deployment.md, "Request quota". */
const CONCURRENCY_MINIMUM = 1_000;
/** Lambda refuses reservations that leave less than this for all other functions. */
const UNRESERVED_MINIMUM = 100;
/** One table serves 13,300 events a second with this. It is the default quota of an account. */
const WRITE_UNITS_MINIMUM = 40_000;

const checkBootstrap = async (
  account: AccountReader,
  region: string,
  { assetsBucket }: Settings,
): Promise<Finding> => {
  if (assetsBucket !== undefined)
    return { found: `The code of the functions goes to ${assetsBucket}. No CDK bootstrap is needed.` };
  const version = await account.bootstrapVersion();
  if (version !== null && version >= BOOTSTRAP_MINIMUM) return { found: `CDK bootstrap version ${version}.` };
  return {
    problem: `The region ${region} is not prepared for the CDK${version === null ? '' : ` (version ${version})`}. Run: npx cdk bootstrap`,
  };
};

/** The concurrency that limited event sources can use together, that is reserved, and that must stay for all other functions. */
const neededConcurrency = (settings: Settings): number => {
  const ofSources = workerNames.map((name) => {
    const { sources, concurrency = 'workerConcurrency' }: WorkerShape = workers[name];
    return concurrency === null ? 0 : sources.length * (settings[concurrency] ?? 0);
  });
  return [...ofSources, ...Object.values(settings.reservedConcurrency), UNRESERVED_MINIMUM].reduce(
    (sum, count) => sum + count,
    0,
  );
};

const checkConcurrency = async (account: AccountReader, settings: Settings): Promise<Finding> => {
  const concurrency = await account.lambdaConcurrency();
  const needed = Math.max(CONCURRENCY_MINIMUM, neededConcurrency(settings));
  return concurrency >= needed
    ? { found: `Lambda may run ${concurrency} functions at the same time.` }
    : {
        problem: `Lambda may run only ${concurrency} functions at the same time. New accounts start at 10, and the settings need ${needed}. Request it in Service Quotas: aws service-quotas request-service-quota-increase --service-code lambda --quota-code L-B99A9384 --desired-value ${needed}`,
      };
};

const checkMail = async (account: AccountReader): Promise<Finding> =>
  (await account.sendsMailToAnyone())
    ? { found: 'SES sends mail to any recipient.' }
    : {
        notice:
          'SES is in its sandbox: notifications reach only verified addresses, and Cognito mails about 50 invitations a day. Request production access in the SES console before you set notificationSender.',
      };

const checkTables = async (
  account: AccountReader,
  { maximumWrites, warmWrites = 0 }: Settings,
): Promise<Finding> => {
  const units = await account.tableWriteUnits();
  const set = Math.max(maximumWrites ?? 0, warmWrites);
  if (set > units)
    return {
      problem: `A table may use only ${units} write units a second, and the settings ask for ${set}. Lower maximumWrites or warmWrites, or request ${set} in Service Quotas (dynamodb, L-F98FE922).`,
    };
  return units >= (maximumWrites ?? WRITE_UNITS_MINIMUM)
    ? { found: `A table may use ${Math.min(units, maximumWrites ?? units)} write units a second.` }
    : {
        notice: `A table may use only ${units} write units a second. Request ${WRITE_UNITS_MINIMUM} in Service Quotas (dynamodb, L-F98FE922) before a large load.`,
      };
};

const checkStack = async (account: AccountReader, stack: string): Promise<Finding> => {
  const status = await account.stackStatus(stack);
  if (status === undefined) return { found: `The stack ${stack} does not exist yet.` };
  if (status === 'UPDATE_ROLLBACK_FAILED' || status === 'DELETE_FAILED') {
    return {
      problem: `The stack ${stack} is in the state ${status}. Follow docs/runbooks/deployment-failed.md.`,
    };
  }
  return { found: `The stack ${stack} is in the state ${status}.` };
};

/** A call that fails, for example for a missing permission, is a finding. It does not hide the other checks. */
const orProblem = async (subject: string, check: () => Promise<Finding>): Promise<Finding> => {
  try {
    return await check();
  } catch (error) {
    return { problem: `${subject} cannot be checked: ${error instanceof Error ? error.message : error}` };
  }
};

/** Checks whether the stacks can be deployed to the account of the AWS credentials. */
export const examineAccount = async (account: AccountReader, settings: Settings): Promise<Finding[]> => {
  let region: string;
  try {
    region = await account.region();
  } catch {
    return [{ problem: 'No region is set. Set AWS_REGION, for example: export AWS_REGION=eu-central-1' }];
  }
  const findings = await Promise.all([
    orProblem('The CDK bootstrap stack', () => checkBootstrap(account, region, settings)),
    orProblem('The concurrency of Lambda', () => checkConcurrency(account, settings)),
    orProblem('SES', () => checkMail(account)),
    orProblem('The quotas of DynamoDB', () => checkTables(account, settings)),
    ...stackNamesOf(settings.deployment).map((stack) =>
      orProblem(`The stack ${stack}`, () => checkStack(account, stack)),
    ),
  ]);
  return [
    { found: `The region is ${region}.` },
    ...findings,
    {
      notice:
        'Compare the throttle rate of API Gateway (Service Quotas, L-8A5B8E43) with what you sell: docs/guides/deployment.md, "Request quota".',
    },
  ];
};
