# fish completion for turf. It asks turf what fits, so it need not know anything.
function __turf_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    for line in ($words[1] completion answer -- $words[2..-1] "$current" 2>/dev/null)
        switch $line
            case :files
                __fish_complete_path "$current"
            case :folders
                __fish_complete_directories "$current" ''
            case :programs
                complete -C "$current"
            case '*'
                echo $line
        end
    end
end
complete -c turf -f -a '(__turf_complete)'
