/** SQL shared by the statements of orders. */

/** Whether the workshop's set-up is still the version that the call was checked with. */
export const setupIsCurrent = `(setup_version IS NULL
      OR setup_version = (SELECT setup_version FROM workshop WHERE workshop.id = workshop_id))`;
