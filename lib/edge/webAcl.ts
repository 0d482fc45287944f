import { CfnWebACL } from 'aws-cdk-lib/aws-wafv2';
import type { Construct } from 'constructs';
import { gatewayProblem } from '../../schemas/gatewayProblems.ts';

const visible = (metricName: string) => ({
  cloudWatchMetricsEnabled: true,
  sampledRequestsEnabled: false,
  metricName,
});

const RATE_LIMITED = 429;
/** WAF looks at the rate about twice a minute. */
const RETRY_AFTER_SECONDS = '30';

/**
 * Blocks addresses with a bad reputation, and addresses with more requests in five minutes than allowed. It inspects no
 * bodies: a batch of events is larger than what WAF can read.
 */
export const webAcl = (
  scope: Construct,
  id: string,
  requestsPerAddress: number,
  baseUrl: string,
): CfnWebACL =>
  new CfnWebACL(scope, id, {
    scope: 'CLOUDFRONT',
    defaultAction: { allow: {} },
    visibilityConfig: visible('Requests'),
    // The type of the content cannot be application/problem+json, and no member can depend on the request.
    customResponseBodies: {
      rate: {
        contentType: 'APPLICATION_JSON',
        content: JSON.stringify({
          ...gatewayProblem(RATE_LIMITED, baseUrl).body,
          detail: 'This address sends too many requests.',
        }),
      },
    },
    rules: [
      {
        name: 'rate',
        priority: 0,
        action: {
          block: {
            customResponse: {
              responseCode: RATE_LIMITED,
              customResponseBodyKey: 'rate',
              responseHeaders: [{ name: 'Retry-After', value: RETRY_AFTER_SECONDS }],
            },
          },
        },
        statement: { rateBasedStatement: { limit: requestsPerAddress, aggregateKeyType: 'IP' } },
        visibilityConfig: visible('RateLimited'),
      },
      {
        name: 'reputation',
        priority: 1,
        overrideAction: { none: {} },
        statement: {
          managedRuleGroupStatement: { vendorName: 'AWS', name: 'AWSManagedRulesAmazonIpReputationList' },
        },
        visibilityConfig: visible('BadReputation'),
      },
    ],
  });
