import { Copyable } from '../../components/Copyable.tsx';
import { SelectField } from '../../forms/Field.tsx';

interface SecretOnceProps {
  readonly secret: string | null;
  readonly withheld: string | undefined;
  readonly name: string;
}

/** A secret that the service gives once. It lives in this dialog only: in no cache, URL or storage. */
export const SecretOnce = ({ secret, withheld, name }: SecretOnceProps) =>
  secret === null ? (
    <p>{withheld ?? 'This credential has no secret.'}</p>
  ) : (
    <>
      <p>Copy {name} now. It is shown once, and cannot be read again.</p>
      <Copyable text={secret} label={name} />
    </>
  );

export const OverlapField = () => (
  <SelectField
    name="overlap"
    label="The old secret stays valid for"
    hint="Give programs the new secret within this time"
    options={[
      { value: '3600', label: 'One hour' },
      { value: '86400', label: 'One day' },
      { value: '0', label: 'No time: it ends now' },
    ]}
  />
);
