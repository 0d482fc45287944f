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

/** A machine of one state named First, and others beside it. */
const first = (state: object, others: object = {}, rest: object = {}) =>
  machine({ StartAt: 'First', States: { First: state, ...others }, ...rest });

const map = (fields: object) => ({
  Type: 'Map',
  End: true,
  ItemProcessor: { StartAt: 'Item', States: { Item: END } },
  ...fields,
});

describe('a state machine', () => {
  test('is known by its ARN', () => {
    const { stateMachines, physicalId } = read(first(END));
    expect(stateMachines).toMatchObject([{ logicalId: 'It', name: 'It', arn: physicalId('It') }]);
    expect(physicalId('It')).toBe('arn:aws:states:us-east-1:000000000000:stateMachine:It');
  });

  test.each([
    [
      'an express one',
      machine({ StartAt: 'First', States: {} }, { StateMachineType: 'EXPRESS' }),
      /STANDARD/,
    ],
    ['a definition kept elsewhere', machine({}, { DefinitionS3Location: {} }), /DefinitionS3Location/],
    ['a text that is not JSON', machine({}, { DefinitionString: '{' }), /DefinitionString: is not JSON/],
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
      'another service',
      first({ Type: 'Task', End: true, Resource: 'arn:aws:states:::sqs:sendMessage' }),
      /First.Resource: only Lambda functions/,
    ],
    [
      'a function that is chosen while it runs',
      first({
        Type: 'Task',
        End: true,
        Resource: 'arn:aws:states:::lambda:invoke',
        Parameters: { 'FunctionName.$': '$.name' },
      }),
      /First.Parameters: must be FunctionName/,
    ],
    [
      'a function the template does not declare',
      first({ Type: 'Task', End: true, Resource: FUNCTION }),
      /First calls .*function:Gone/,
    ],
    ['a name used twice', first(map({}), { Item: END }), /two states are named Item/],
    ['a way to nowhere', first({ Type: 'Pass', Next: 'Lost' }), /next state Lost does not exist/],
    [
      'a context of a task token',
      first({ Type: 'Pass', End: true, Parameters: { 'token.$': '$$.Task.Token' } }),
      /\$\$\.Task\.Token is not known/,
    ],
    [
      'the input of the execution within an item',
      first(
        map({
          ItemProcessor: {
            StartAt: 'Item',
            States: { Item: { Type: 'Pass', End: true, InputPath: '$$.Execution.Input' } },
          },
        }),
      ),
      /\$\$\.Execution\.Input is not known/,
    ],
  ])('is refused for %s, by its logical id', (_what, resource, message) => {
    const reading = () => read(resource);
    expect(reading).toThrow(message);
    expect(reading).toThrow(/^It \(AWS::StepFunctions::StateMachine\)/);
  });
});
