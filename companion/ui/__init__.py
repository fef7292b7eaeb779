"""The touchscreen program: screens, widgets, board drawings, languages. Decides no rules."""
