//! A chat template: Jinja with the settings, filters and functions of Hugging Face's apply_chat_template.
use crate::generation;
use crate::python;
use crate::result::{Answer, Failure};
use minijinja::syntax::SyntaxConfig;
use minijinja::value::Value;
use minijinja::{Environment, Error, ErrorKind};

/// Instructions of the template engine that a rendering may take: seconds, not for ever.
const FUEL: u64 = 10_000_000;
const NAME: &str = "chat_template";
/// Marks an error as one that the template raised by itself.
const RAISED: &str = "raise_exception: ";

pub struct ChatTemplate(Environment<'static>);

fn raise_exception(message: String) -> Result<Value, Error> {
    Err(Error::new(ErrorKind::InvalidOperation, format!("{RAISED}{message}")))
}

/// The local time, by the format of strftime.
fn strftime_now(format: String) -> Result<Value, Error> {
    jiff::fmt::strtime::format(&format, &jiff::Zoned::now())
        .map(Value::from)
        .map_err(|e| Error::new(ErrorKind::InvalidOperation, format!("strftime_now: {e}")))
}

/// What an error says, with the line and the errors behind it.
fn text_of(error: &Error) -> String {
    let mut text = match error.detail() {
        Some(detail) => detail.strip_prefix(RAISED).unwrap_or(detail).to_string(),
        None => error.kind().to_string(),
    };
    let mut source = std::error::Error::source(error);
    while let Some(cause) = source {
        text += &format!(": {cause}");
        source = cause.source();
    }
    match error.line() {
        Some(line) => format!("{text} (line {line})"),
        None => text,
    }
}

impl ChatTemplate {
    pub fn new(source: &str) -> Result<Self, Failure> {
        let mut env = Environment::new();
        let syntax = SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).build().map_err(Failure::parse)?;
        env.set_syntax(syntax);
        env.set_fuel(Some(FUEL));
        env.set_auto_escape_callback(|_| minijinja::AutoEscape::None);
        env.set_unknown_method_callback(python::method);
        env.set_formatter(python::write_value);
        env.add_filter("tojson", python::tojson);
        env.add_test("iterable", python::is_iterable);
        env.add_function("raise_exception", raise_exception);
        env.add_function("strftime_now", strftime_now);
        env.add_template_owned(NAME, generation::rewrite(source)).map_err(|e| Failure::parse(text_of(&e)))?;
        Ok(ChatTemplate(env))
    }

    pub fn render(&self, variables: &str) -> Result<Answer, Failure> {
        let json: serde_json::Value =
            serde_json::from_str(variables).map_err(|e| Failure::parse(format!("the JSON text is not valid: {e}")))?;
        let template = self.0.get_template(NAME).map_err(|e| Failure::value(text_of(&e)))?;
        let text = template.render(python::value_of(json)).map_err(|e| Failure::value(text_of(&e)))?;
        Ok(Answer { text, ..Answer::default() })
    }
}
