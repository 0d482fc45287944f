import { describe, expect, test } from 'vitest';
import { type ReferenceResolver, resolveIntrinsics } from '../../../local/template/intrinsics.ts';
import { TemplateError } from '../../../local/template/template.ts';

const scope: ReferenceResolver = {
  ref: (id) => (id === 'AWS::NoValue' ? undefined : `<${id}>`),
  mapping: (map, key, name) => `<${map} ${key} ${name}>`,
  attribute: (id, name) => `<${id}.${name}>`,
  located: (text) => (text === 'on <AWS>' ? 'here' : text),
};

describe('resolveIntrinsics', () => {
  test.each([
    [{ Ref: 'Queue' }, '<Queue>'],
    [{ 'Fn::GetAtt': ['Table', 'Arn'] }, '<Table.Arn>'],
    [{ 'Fn::GetAtt': 'Table.Stream.Arn' }, '<Table.Stream.Arn>'],
    [{ 'Fn::Join': ['-', ['a', { Ref: 'B' }, 3]] }, 'a-<B>-3'],
    [{ 'Fn::Join': [' ', ['on', { Ref: 'AWS' }]] }, 'here'],
    [{ 'Fn::Sub': `on \${AWS}` }, 'here'],
    [{ 'Fn::Split': ['/', 'a/b'] }, ['a', 'b']],
    [{ 'Fn::Select': [1, { 'Fn::Split': ['/', { 'Fn::Join': ['', ['x/', { Ref: 'B' }]] }] }] }, '<B>'],
    [{ 'Fn::FindInMap': ['Map', { Ref: 'Key' }, 'value'] }, '<Map <Key> value>'],
    [{ 'Fn::Sub': `a \${B} \${C.Arn} \${!D} \${AWS::Region}` }, `a <B> <C.Arn> \${D} <AWS::Region>`],
    [{ 'Fn::Sub': [`\${A} \${B}`, { A: { Ref: 'X' } }] }, '<X> <B>'],
  ])('replaces %j', (value, expected) => {
    expect(resolveIntrinsics({ deep: [value] }, scope)).toEqual({ deep: [expected] });
  });

  test('drops a property without a value', () => {
    expect(resolveIntrinsics({ kept: 1, gone: { Ref: 'AWS::NoValue' } }, scope)).toEqual({ kept: 1 });
  });

  test('leaves an object that only looks like an intrinsic', () => {
    expect(resolveIntrinsics({ Ref: 'A', other: 1 }, scope)).toEqual({ Ref: 'A', other: 1 });
  });

  test('throws for an unsupported intrinsic', () => {
    expect(() => resolveIntrinsics({ 'Fn::If': ['a', 1, 2] }, scope)).toThrow(TemplateError);
  });
});
