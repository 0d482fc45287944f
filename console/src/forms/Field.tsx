import { createContext, type InputHTMLAttributes, type ReactNode, useContext, useId } from 'react';

const FaultsContext = createContext<ReadonlyMap<string, string>>(new Map());
export const FieldFaults = FaultsContext;

interface Common {
  readonly name: string;
  readonly label: string;
  readonly hint?: ReactNode;
}

const Frame = ({
  name,
  label,
  hint,
  id,
  children,
}: Common & { readonly id: string; readonly children: ReactNode }) => {
  const fault = useContext(FaultsContext).get(name);
  return (
    <div className="field">
      <label htmlFor={`${id}-control`}>{label}</label>
      {children}
      {(hint !== undefined || fault !== undefined) && (
        <small id={id} className={fault === undefined ? '' : 'fault'}>
          {fault ?? hint}
        </small>
      )}
    </div>
  );
};

/** Ties the hint or fault to the field for screen readers. */
const useDescription = (name: string) => {
  const id = useId();
  const isInvalid = useContext(FaultsContext).has(name);
  return {
    id,
    attributes: { id: `${id}-control`, 'aria-describedby': id, 'aria-invalid': isInvalid || undefined },
  };
};

type InputProps = Common & Omit<InputHTMLAttributes<HTMLInputElement>, 'name'>;

export const TextField = ({ name, label, hint, ...input }: InputProps) => {
  const { id, attributes } = useDescription(name);
  return (
    <Frame name={name} label={label} hint={hint} id={id}>
      <input name={name} {...attributes} {...input} />
    </Frame>
  );
};

export const TextArea = ({
  name,
  label,
  hint,
  ...rest
}: Common & { readonly required?: boolean; readonly defaultValue?: string; readonly maxLength?: number }) => {
  const { id, attributes } = useDescription(name);
  return (
    <Frame name={name} label={label} hint={hint} id={id}>
      <textarea name={name} {...attributes} {...rest} />
    </Frame>
  );
};

export interface Option {
  readonly value: string;
  readonly label: string;
}

type SelectProps = Common & {
  readonly options: readonly Option[];
  readonly defaultValue?: string;
  readonly value?: string;
  readonly onChange?: (value: string) => void;
};

export const SelectField = ({ name, label, hint, options, onChange, ...rest }: SelectProps) => {
  const { id, attributes } = useDescription(name);
  return (
    <Frame name={name} label={label} hint={hint} id={id}>
      <select
        name={name}
        {...attributes}
        {...rest}
        {...(onChange !== undefined && { onChange: ({ target }) => onChange(target.value) })}
      >
        {options.map(({ value, label: text }) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </Frame>
  );
};

type ChoicesProps = Common & {
  readonly options: readonly Option[];
  readonly defaultValues?: readonly string[];
  readonly type?: 'checkbox' | 'radio';
};

/** Several check boxes, or radio buttons, under one name. */
export const ChoicesField = ({
  name,
  label,
  hint,
  options,
  defaultValues = [],
  type = 'checkbox',
}: ChoicesProps) => {
  const fault = useContext(FaultsContext).get(name);
  return (
    <fieldset className="field">
      <legend>{label}</legend>
      {(hint !== undefined || fault !== undefined) && (
        <small className={fault === undefined ? '' : 'fault'}>{fault ?? hint}</small>
      )}
      <div className="choices">
        {options.map(({ value, label: text }) => (
          <label key={value}>
            <input type={type} name={name} value={value} defaultChecked={defaultValues.includes(value)} />
            {text}
          </label>
        ))}
      </div>
    </fieldset>
  );
};
