import { useState } from 'react';
import type { CustomProfile } from '../../../shared/model/rule/throttle.ts';
import { TextField } from '../../ui/field.tsx';
import { FormActions } from '../../ui/form-actions.tsx';
import { FIGURE_FIELDS, profileFrom, profileText } from './profile-draft.ts';

interface ProfileFormProps {
  profile: CustomProfile;
  save: (profile: CustomProfile) => void;
  cancel: () => void;
}

/** Edits one custom profile. Problems show once the profile has a name: an empty form is not wrong yet. */
export function ProfileForm({ profile, save, cancel }: ProfileFormProps) {
  const [text, setText] = useState(() => profileText(profile));
  const result = profileFrom(text);
  return (
    <>
      <TextField label="Name" value={text.name} set={(name) => setText({ ...text, name })} />
      <div className="profile-figures">
        {FIGURE_FIELDS.map(({ name, label, hint }) => (
          <TextField
            key={name}
            label={label}
            inputMode="decimal"
            value={text[name]}
            placeholder={hint}
            set={(figure) => setText({ ...text, [name]: figure })}
          />
        ))}
      </div>
      {'problem' in result && text.name !== '' && (
        <p className="problem-text" role="alert">
          {result.problem}
        </p>
      )}
      <FormActions
        back={cancel}
        isComplete={'profile' in result}
        save={() => 'profile' in result && save(result.profile)}
      />
    </>
  );
}
