// The options of `tessera train`.
#include "train/command.h"

#include <memory>
#include <optional>

#include <CLI/CLI.hpp>

#include "terminal.h"
#include "tessera/distributed.h"
#include "train/gpt.h"
#include "train/jobs.h"
#include "train/mnist.h"

namespace tessera::app {

namespace {

std::shared_ptr<MnistOptions> add_mnist(CLI::App& job) {
  auto o = std::make_shared<MnistOptions>();
  job.add_option("--data", o->data, "A folder with four IDX files, which tools/fetch_data.sh mnist gets")
      ->capture_default_str();
  job.add_option("--epochs", o->epochs, "Passes over the training set")->capture_default_str();
  job.add_option("--batch", o->batch, "Images of a step")->capture_default_str();
  job.add_option("--lr", o->lr, "The highest rate of the one-cycle schedule")->capture_default_str();
  job.add_option("--weight-decay", o->weight_decay, "Of AdamW, for matrices")->capture_default_str();
  job.add_option("--seed", o->seed, "Of initial values, order and dropout")->capture_default_str();
  job.add_option("--out", o->out, "A folder for model.safetensors and the log");
  return o;
}

std::shared_ptr<GptOptions> add_gpt(CLI::App& job) {
  auto o = std::make_shared<GptOptions>();
  job.add_option("--text", o->text, "A text in UTF-8; default: sums");
  job.add_option("--tokenizer", o->tokenizer, "A tokenizer.json for the text; default: each character is a token");
  job.add_option("--digits", o->digits, "Without a text: sums of numbers of at most so many digits")
      ->capture_default_str();
  job.add_option("--layers", o->layers, "Default: 4, and 2 for sums");
  job.add_option("--heads", o->heads, "Default: 4");
  job.add_option("--kv-heads", o->kv_heads, "Heads of keys and values, for grouped queries; default: as many");
  job.add_option("--width", o->width, "Default: 128, and 64 for sums");
  job.add_option("--hidden", o->hidden, "Width of the MLP; default: 8/3 of the width");
  job.add_option("--context", o->context, "Tokens; default: 64, and the length of a sum");
  job.add_option("--dropout", o->dropout, "Default: 0");
  job.add_flag("--untied", o->untied, "The head has a matrix of its own instead of the embedding");
  job.add_option("--batch", o->batch, "Sequences of a step; default: 12, and 128 for sums");
  job.add_option("--steps", o->steps, "Default: 2000, and 1500 for sums; 0 only samples");
  job.add_option("--lr", o->lr, "The highest rate; default: 1e-3, and 3e-3 for sums");
  job.add_option("--min-lr", o->min_lr, "The last rate of the cosine; default: a tenth");
  job.add_option("--warmup", o->warmup, "Steps until the highest rate; default: 100, at most a tenth of the steps");
  job.add_option("--beta1", o->beta1, "Of AdamW")->capture_default_str();
  job.add_option("--beta2", o->beta2, "Of AdamW")->capture_default_str();
  job.add_option("--weight-decay", o->weight_decay, "Of AdamW, for matrices")->capture_default_str();
  job.add_option("--clip", o->clip, "The largest norm of the gradients")->capture_default_str();
  job.add_option("--eval-every", o->eval_every, "Steps between validations")->capture_default_str();
  job.add_option("--eval-batches", o->eval_batches, "Batches of a validation, at most")->capture_default_str();
  job.add_option("--seed", o->seed, "Of initial values, batches and dropout")->capture_default_str();
  job.add_option("--load", o->load, "A folder with a model to start from");
  job.add_option("--out", o->out, "A folder for config.json, model.safetensors, tokenizer.json and the log");
  job.add_option("--prompt", o->prompt, "The beginning of the sample, or a sum");
  job.add_option("--sample", o->sample, "Characters or tokens to sample after training")->capture_default_str();
  job.add_option("--temperature", o->temperature, "Of the sample; 0: the most likely ones")->capture_default_str();
  return o;
}

}  // namespace

std::function<int()> add_train(CLI::App& app) {
  CLI::App* train = app.add_subcommand("train", "Trains a network: on images, sequences, language or a game.");
  train->require_subcommand(1);
  CLI::App* mnist = train->add_subcommand("mnist", "A convolutional network on the images of MNIST.");
  CLI::App* gpt = train->add_subcommand("gpt", "A transformer of Llama's form on a text, or on sums (27+58=85).");
  return [mnist, of_mnist = add_mnist(*mnist), of_gpt = add_gpt(*gpt), run_job = add_jobs(*train)] {
    distributed::init();
    // Of several ranks the first one speaks and writes.
    if (distributed::rank() > 0) {
      be_quiet();
      of_mnist->out.clear();
      of_gpt->out.clear();
    }
    if (const std::optional<int> code = run_job()) return *code;
    return mnist->parsed() ? train_mnist(*of_mnist) : train_gpt(*of_gpt);
  };
}

}  // namespace tessera::app
