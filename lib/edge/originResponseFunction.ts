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

/**
 * API Gateway renames this header of Lambda responses. CloudFront does not run its own functions for responses with a
 * status of 400 and above, so this is a Lambda function. It has no dependency and needs no bundle.
 */
export const ORIGIN_RESPONSE_SOURCE = `'use strict';
const RENAMED = 'x-amzn-remapped-www-authenticate';
exports.handler = async (event) => {
  const { response } = event.Records[0].cf;
  const values = response.headers[RENAMED];
  if (values !== undefined) {
    response.headers['www-authenticate'] = values.map(({ value }) => ({ key: 'WWW-Authenticate', value }));
    delete response.headers[RENAMED];
  }
  return response;
};
`;

/** A function that CloudFront runs for each response of the API. */
export class OriginResponseFunction extends Construct {
  readonly version: IVersion;

  constructor(scope: Construct, id: string) {
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
      description: 'Restores the header WWW-Authenticate',
      runtime: Runtime.NODEJS_24_X,
      handler: 'index.handler',
      code: Code.fromInline(ORIGIN_RESPONSE_SOURCE),
      role,
    });
    // The import has the type that the distribution takes.
    this.version = Version.fromVersionArn(this, 'Version', handler.currentVersion.functionArn);
  }
}
