export const INTEGRATION = 'x-amazon-apigateway-integration';
export const INTEGRATIONS = '#/components/x-amazon-apigateway-integrations/';
/** The key of an operation that answers every method. */
export const ANY = 'x-amazon-apigateway-any-method';

export const responses = { default: { description: 'Any' } };
/** An operation with the only integration of {@link api}. */
export const operation = { responses, [INTEGRATION]: { $ref: `${INTEGRATIONS}do` } };
export const parameters = (name: string): object[] => [
  { name, in: 'path', required: true, schema: { type: 'string' } },
];

/** An HTTP API with these paths, whose only integration invokes `arn:do`. */
export const api = (paths: object, integration: object = {}) => ({
  Type: 'AWS::ApiGatewayV2::Api',
  Properties: {
    FailOnWarnings: true,
    Body: {
      openapi: '3.0.1',
      info: { title: 'Any', version: '1' },
      paths,
      components: {
        'x-amazon-apigateway-integrations': {
          do: {
            type: 'aws_proxy',
            httpMethod: 'POST',
            uri: 'arn:aws:apigateway:us-east-1:lambda:path/2015-03-31/functions/arn:do/invocations',
            payloadFormatVersion: '2.0',
            ...integration,
          },
        },
      },
    },
  },
});
