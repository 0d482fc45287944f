import { Aws, Validations } from 'aws-cdk-lib';
import {
  CompositePrincipal,
  PolicyDocument,
  PolicyStatement,
  Role,
  ServicePrincipal,
} from 'aws-cdk-lib/aws-iam';
import { Code, type IVersion, Function as LambdaFunction, Runtime, Version } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { gatewayProblem, gatewayStatuses } from '../../schemas/gatewayProblems.ts';

/**
 * Gives responses of API Gateway the form of the service: it renames a header of functions, and its own errors are no problem
 * documents, which functions never send without a trace id. CloudFront does not run its own functions for responses with a status
 * of 400 and above, so this is a Lambda function. It has no dependency and needs no bundle.
 */
export const originResponseSource = (baseUrl: string): string => `'use strict';
const RENAMED = 'x-amzn-remapped-www-authenticate';
const PROBLEMS = ${JSON.stringify(Object.fromEntries(gatewayStatuses.map((status) => [status, gatewayProblem(status, baseUrl)])))};
const header = (key, value) => [{ key, value }];
exports.handler = async (event) => {
  const { request, response } = event.Records[0].cf;
  const { headers } = response;
  const values = headers[RENAMED];
  if (values !== undefined) {
    headers['www-authenticate'] = values.map(({ value }) => ({ key: 'WWW-Authenticate', value }));
    delete headers[RENAMED];
  }
  const problem = headers['x-trace-id'] === undefined ? PROBLEMS[response.status] : undefined;
  if (problem !== undefined) {
    const trace = require('node:crypto').randomBytes(16).toString('hex');
    headers['x-trace-id'] = header('X-Trace-Id', trace);
    headers['content-type'] = header('Content-Type', 'application/problem+json');
    if (problem.retryAfter) headers['retry-after'] = header('Retry-After', problem.retryAfter);
    delete headers['content-length'];
    const body = { ...problem.body, instance: request.uri, trace_id: trace };
    if (request.method !== 'HEAD') response.body = JSON.stringify(body);
  }
  return response;
};
`;

/** A function that CloudFront runs for each response of the API. */
export class OriginResponseFunction extends Construct {
  readonly version: IVersion;

  constructor(scope: Construct, id: string, baseUrl: string) {
    super(scope, id);
    const role = new Role(this, 'Role', {
      assumedBy: new CompositePrincipal(
        new ServicePrincipal('lambda.amazonaws.com'),
        new ServicePrincipal('edgelambda.amazonaws.com'),
      ),
      inlinePolicies: {
        Logs: new PolicyDocument({
          statements: [
            new PolicyStatement({
              actions: ['logs:CreateLogGroup', 'logs:CreateLogStream', 'logs:PutLogEvents'],
              // CloudFront writes the log in the region of the viewer.
              resources: [`arn:${Aws.PARTITION}:logs:*:${Aws.ACCOUNT_ID}:log-group:/aws/lambda/*`],
            }),
          ],
        }),
      },
    });
    Validations.of(role).acknowledge({
      id: 'AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:logs:*:<AWS::AccountId>:log-group:/aws/lambda/*]',
      reason: 'The function runs in every region, and its log group is created there at the first request.',
    });
    const handler = new LambdaFunction(this, 'Function', {
      description: 'Restores WWW-Authenticate, and makes errors of API Gateway problem documents',
      runtime: Runtime.NODEJS_24_X,
      handler: 'index.handler',
      code: Code.fromInline(originResponseSource(baseUrl)),
      role,
    });
    // The import has the type that the distribution takes.
    this.version = Version.fromVersionArn(this, 'Version', handler.currentVersion.functionArn);
  }
}
