import { describe, expect, test } from 'vitest';
import { embeddedLocations } from '../../../local/engines/engines.ts';
import { readStack } from '../../../local/template/stack.ts';
import { Template } from '../../../local/template/template.ts';

const FUNCTION = 'arn:aws:lambda:us-east-1:000000000000:function:Gone';
const END = { Type: 'Succeed' };

const machine = (definition: object, rest: object = {}) => ({
  Type: 'AWS::StepFunctions::StateMachine',
  Properties: { DefinitionString: JSON.stringify(definition), ...rest },
});

const read = (resource: object) =>
  readStack(
    Template.parse({ Resources: { It: resource } }),
    '/nowhere',
    embeddedLocations('http://gateway', 'http://queues'),
  );

/** A machine that starts with a state named First and may have other states. */
const first = (state: object, others: object = {}, rest: object = {}) =>
  machine({ StartAt: 'First', States: { First: state, ...others }, ...rest });

const map = (fields: object) => ({
  Type: 'Map',
  End: true,
  ItemProcessor: { StartAt: 'Item', States: { Item: END } },
  ...fields,
});

describe('a state machine', () => {
  test('is identified by its ARN', () => {
    const { stateMachines, physicalId } = read(first(END));
    expect(stateMachines).toMatchObject([{ logicalId: 'It', name: 'It', arn: physicalId('It') }]);
    expect(physicalId('It')).toBe('arn:aws:states:us-east-1:000000000000:stateMachine:It');
  });

  test.each([
    [
      'an express machine',
      machine({ StartAt: 'First', States: {} }, { StateMachineType: 'EXPRESS' }),
      /STANDARD/,
    ],
    ['a definition in S3', machine({}, { DefinitionS3Location: {} }), /DefinitionS3Location/],
    [
      'a definition that is not JSON',
      machine({}, { DefinitionString: '{' }),
      /DefinitionString: is not JSON/,
    ],
    ['JSONata', first(END, {}, { QueryLanguage: 'JSONata' }), /QueryLanguage: only JSONPath/],
    [
      'JSONata in one state',
      first({ ...END, QueryLanguage: 'JSONata' }),
      /First.QueryLanguage: only JSONPath/,
    ],
    ['variables', first({ Type: 'Pass', End: true, Assign: { a: 1 } }), /First.*Assign/],
    ['tolerated failures', first(map({ ToleratedFailureCount: 1 })), /First.*ToleratedFailureCount/],
    [
      'a distributed map',
      first(
        map({
          ItemProcessor: { StartAt: 'Item', States: { Item: END }, ProcessorConfig: { Mode: 'DISTRIBUTED' } },
        }),
      ),
      /First.*only INLINE maps/,
    ],
    [
      'a task token',
      first({ Type: 'Task', End: true, Resource: 'arn:aws:states:::lambda:invoke.waitForTaskToken' }),
      /First.Resource: only Lambda functions/,
    ],
    [
      'a task of another service',
      first({ Type: 'Task', End: true, Resource: 'arn:aws:states:::sqs:sendMessage' }),
      /First.Resource: only Lambda functions/,
    ],
    [
      'a function name that is resolved at run time',
      first({
        Type: 'Task',
        End: true,
        Resource: 'arn:aws:states:::lambda:invoke',
        Parameters: { 'FunctionName.$': '$.name' },
      }),
      /First.Parameters: must be FunctionName/,
    ],
    [
      'a function that the template does not declare',
      first({ Type: 'Task', End: true, Resource: FUNCTION }),
      /First calls .*function:Gone/,
    ],
    ['a duplicate state name', first(map({}), { Item: END }), /two states are named Item/],
    ['a missing next state', first({ Type: 'Pass', Next: 'Lost' }), /next state Lost does not exist/],
    [
      'the task token of the context object',
      first({ Type: 'Pass', End: true, Parameters: { 'token.$': '$$.Task.Token' } }),
      /\$\$\.Task\.Token is not supported locally/,
    ],
    [
      'the execution input inside a map item',
      first(
        map({
          ItemProcessor: {
            StartAt: 'Item',
            States: { Item: { Type: 'Pass', End: true, InputPath: '$$.Execution.Input' } },
          },
        }),
      ),
      /\$\$\.Execution\.Input is not supported locally/,
    ],
  ])('throws with its logical id for %s', (_case, resource, message) => {
    const readMachine = () => read(resource);
    expect(readMachine).toThrow(message);
    expect(readMachine).toThrow(/^It \(AWS::StepFunctions::StateMachine\)/);
  });
});
